"""English that changes no rule. A word of a rule that is in no list is asked about."""

from __future__ import annotations


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


HARMLESS = _words(
    """
    alle bandwidth calculate capital ceci compute dates edit historical history honestly invest
    sorry squeeze stoploss tiny winner
    able above abs according across actual adding additional after again ahead all allow allowed
    almost alone along already also although amount and another anyway apart appear applied
    apply approach around ask asked assume attempt available away based because become becomes
    been beer before begin behind being believe below besides better between beyond blue boring
    both bring budget build but buys call calls came can cancel candidate cannot capture care
    careful case catch cause certain chance change changes chart check choose clear clearly
    closely code come comes coming common complete completely confirm consider consistent
    continue correct could count course create current cut data date days deal decent decide
    decided decides default define depends describe described desired did different divided does
    doing done drawn each easy edge effect either elif else end ended ends enough entire equal
    especially etc even every everything exact exactly example except expect expected explain
    extra fact factor fair far fast feel figure final finally find fine first fit focus follow
    followed following for form forms forum forward found fraction fractional fractions free
    frequently friend from full fun further general generally generate get gets getting give
    given gives giving goal goes going gone good got great group guess had half handle happen
    happened happens hard hardly has hasn't have having help helps hence here his hit hits hold
    holding hope how however ideal ideally identify important improve incl include included
    includes including inclusive indicate indicates individual influence initial initially
    instead intended interested into involves isn't itself job join just keep keeping kept kind
    know known lately later latest learn least less let lets letting leverage like likely list
    listed live logic longer look looked looking looks loop lose lost lots love low lunch lurker
    made main mainly make makes making manage many mark matter maybe means meant mechanical
    mention might mind mine minimal mode modest money more most mostly mother move moved moves
    moving much multiplier mum must name named nearly necessary need needed needs neither nice
    nobody none normal normally nothing notice now obvious obviously occur occurs offer often
    okay older once one ones only open option order original other others our out over own param
    parameter part particular passed past pay people per perfect perform perhaps person personal
    piece place placed places plan play please plus possible post poster prefer pretty probably
    problem produce program proper properly protect provide purely purpose quarter quick quickly
    quiet quite range rather reach reached reaches ready real really reason reasonable recent
    recently record refer regardless related rely repeat reply require required requires reset
    resets rest restarts result resulting results return reward right risky rounding run running
    said same saw say says scaled second seconds see seem seems seen send sense serious
    servicenow set sets several shall shape shifted should show shown shows side sign similar
    simple simplest simplified simply since single sit sits situation sleep small some someone
    something sometimes somewhat soon sort specific specified spot stage stand start started
    starting starts state stated stay step steps still straight strict strictly stuff such
    suggest suit support sure system take taken takes taking talk tell tend tester than thank
    thanks that the their them then there therefore these they thing things think third this
    those though thought three through thus tidy tight till time together told too took top
    total toward towards track treat tried tries triggered triggers true try trying turn turned
    turns twice two type under understand unit unless until upon use used useful user uses using
    usual usually value various version very via view wait waits want wanted wants warm was
    watch way ways week weekend well went were what whatever when whenever where whether which
    while who whole whose why will wish with within without won't word words work worked working
    works worry worth would write wrong year yes yet you your yourself
    """
)
