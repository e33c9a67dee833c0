"""Every sentence that the bot says. Pure; each ends with what to do next."""

from bot.text.base import *
from bot.text.check import *
from bot.text.golive import *
from bot.text.incidents import *
from bot.text.notes import *
from bot.text.plan import *
from bot.text.pulls import *
from bot.text.replies import *
from bot.text.report import *
from bot.text.sheets import *
from bot.text.steps import *
