"""Why a live run is refused or stopped. Stable: people search for these words."""

from __future__ import annotations

from enum import StrEnum


class Code(StrEnum):
    # The token.
    MALFORMED = "malformed"
    NO_KEY = "no_key"
    WRONG_KEY = "wrong_key"
    FORGED = "forged"
    NOT_YET = "not_yet_valid"
    EXPIRED = "expired"
    TOO_LONG = "valid_too_long"
    OTHER_STRATEGY = "other_strategy"
    # This machine, against what was approved.
    IN_CI = "inside_ci"
    CLOCK_BACK = "clock_moved_back"
    OTHER_COMMIT = "other_commit"
    CHANGED_TREE = "changed_tree"
    EDITED_FILE = "edited_file"
    MISSING_FILE = "missing_file"
    UNLISTED_FILE = "unlisted_file"
    NOT_GENERATED = "not_generated"
    EARLIER_GENERATOR = "earlier_generator"
    NO_TAG = "no_tag"
    TAG_MOVED = "tag_moved"
    SUPERSEDED = "superseded"
    REPLAYED = "replayed"
    NO_DRY_RUN = "no_dry_run"
    HALTED = "halted"
    HALTED_THERE = "halted_on_github"
    TAKEN_BACK = "rolled_back"
    NO_REPOSITORY = "repository_unreachable"
    NOT_CLAIMED = "token_not_claimed"
    AUDIT_CUT = "audit_log_changed"
    RUNNING = "already_running"
    BAD_STATE = "state_unreadable"
    # Secrets and settings.
    NO_SECRET = "no_secret"  # nosec B105
    OPEN_FILE = "secret_file_open"
    BAD_LIMITS = "bad_limits"
    NO_LIMITS = "no_limits"
    NO_BROKER = "broker_not_installed"
    DENIED = "login_refused"
    UNFIT = "account_unfit"
    NO_ANSWER = "broker_unreachable"
    REAL_MONEY = "real_money_unproven"
    ACCOUNT_UNKNOWN = "account_kind_unknown"
    # One order, or all trading.
    SYMBOL = "symbol_not_allowed"
    ORDER_SIZE = "order_too_large"
    POSITION = "position_too_large"
    DUPLICATE = "duplicate_order"
    RATE = "too_many_orders"
    DAILY_LOSS = "daily_loss"
    STALE = "stale_data"
    UNHEARD = "halt_unheard"
    BAD_BAR = "bad_bar"
    SKEW = "clock_skew"
    GUARD_ERROR = "guard_error"
    MISMATCH = "positions_differ"
    PARITY = "parity_difference"


class Refused(Exception):
    """A live run that must not start or go on. `detail` names the thing, never a secret."""

    def __init__(self, code: Code, detail: str = "") -> None:
        self.code, self.detail = code, detail
        super().__init__(f"{code}: {detail}" if detail else str(code))
