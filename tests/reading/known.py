"""How far the reader has come with the corpus. The first list may only grow, the others shrink."""


def _ids(text: str) -> frozenset[str]:
    return frozenset(text.split())


READ = _ids(
    """
    add-by-atr add-each-atr add-two-percent adx-if-and-if adx-range adx-rising and-or aroon
    aroon-turns asia-hours asian-range atr-expansion atr-percent atr-regime back-inside-the-band
    band-re-entry-wait bars-before-indicator basis-points bb-breakout bb-half-deviation
    bb-percent-b bb-reentry bb-squeeze bear-engulfing beyond-by-percent both-above-zero break-even
    break-even-percent bullets-mirrored by-basis-points cci-100 cci-fade cci-until chandelier-both
    changed-mind chinese-bollinger-both chinese-sma close-above-three closing-highs-quiet
    cooldown-any cooldown-stop cross-shorts-no dark-cloud day-low-sweep de-la-26 decimal-comma
    decimal-pair di-cross doji doji-after-greens doji-then-green dollar-stop donchian-55
    donchian-forty-mid donchian-mid double-seven dutch-sma either-exit ema-20-50
    ema-on-the-opposite ema-pseudocode ema-pullback ema-short-only ema-stack email-style emoji
    ends-of-session engulfing-at-low equal-lows fast-stochastic-exit fell-over-days first-days
    first-from-day first-green first-of-day first-up-close five-day-extremes five-percent-up
    five-reds fixed-cash fixed-prices flat-weekend form-di form-n-a form-session form-short
    french-donchian french-form friday-hours full-form fx-risk gap-down-recover gap-first-bar
    gap-over-high gap-true-short german-ema german-rsi german-time golden-cross half-an-atr
    half-equity half-percent-short hammer heikin-ashi higher-highs highs-then-lower
    hour-hold hundred-shares ibs ichimoku-kumo ichimoku-tk ihn-wieder inside-bar inside-next-bar
    inside-whose irrelevant-numbers italian-bollinger italian-stochastic japanese-rsi json-config
    keltner-by-name keltner-fade keltner-in-turn kumo-back-inside label-after-symbol
    later-close-at-entry leave-at-fifty limit-at-last-value limit-band limit-below limit-midpoint
    long-story lots-pips low-fade ma-channel macd-downward macd-filter macd-french macd-intraday
    macd-rsi-combo macd-three-up macd-zero make-that-twenty marubozu-inline meant-rsi-four mfi-dip
    mid-month minutes momentum-turn monday-side morning-star mother-bar negated-rules no-lunch
    noon-fade not-before-three not-in-profit nr7 numbered-list obv-confirm obv-high obv-own-ema
    obv-sma obv-versus-average one-of-these one-week-h4 only-if-under-entry only-in-profit
    opposite-signal-whole or-bars orb-after-hour orb-first-bar orb-range-target outside-quarter
    outside-reversal overnight overnight-vwap own-gap-up own-hammer own-harami own-morning-star
    own-nr7 own-trend-words pin-bar pivot-daily pivot-r1 points-index polish-rsi portuguese-ema
    portuguese-willr prior-day-break profit-close-exit psar-ema psar-flip pseudo-full
    pseudo-oneliner pyramid-add questions-inside quoted-reply range-from-open red-on-volume
    regime-in-brackets reward-ratio rising-and-above-it risk-fixed-dollars risk-in-dollars
    risk-one-percent roc-dual roc-either roc-zero rsi-between rsi-centreline rsi-cumulative
    rsi-form rsi-or rsi-recent rsi-regime-both rsi-swing-both rsi-typos rsi-was-below rsi-words
    rsi2-connors rules-table russian-macd same-volume-rule sar-any-flip sar-mirrored scale-in-dips
    sell-limit shooting-star shorts-not-wanted shouting sma-regime sma-rising sma-typos
    soldiers-inline spanish-bollinger spanish-short spanish-sma squeeze-by-name stamped-range
    star-inline stoch-exit-bars stoch-kd stoch-rsi stoch-typos stop-and-reverse-channel
    stop-on-closes stretch-sma20 strikethrough supertrend-buy-signal supertrend-default-sl
    supertrend-filter supertrend-flip supertrend-it supertrend-line supertrend-multiplier
    swing-stop tema-cross template-comments three-days-above three-soldiers ticks time-hours
    title-has-the-entry title-only-symbol title-says-all tldr trail-after trail-atr-both
    trail-percent trail-pips trend-in-brackets ttm-squeeze tuesday-open turtle-numbers two-a-day
    two-bar-reversal two-closes-after two-days-h4 two-inside-bars two-red-two-green two-weeks
    typos-atr typos-bollinger typos-streak typos-time typos-vwap unless volume-breakout
    volume-climax vwap-fade vwap-side vwap-stretch vwma weekday-filter when-and-when
    williams-any-cross willr-swing willr-two wma-close-and-reverse wma-flip yaml-config year-high
    zscore
    """
)
"""Built, and the trades are those that the request means."""

MISREAD: dict[str, str] = {}
"""Built, and the trades are others: by id, what is read wrongly."""

ANSWERED_BADLY: dict[str, str] = {}
"""Must be questioned, and is built or asked about something else: by id, what goes wrong."""
