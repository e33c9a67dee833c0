"""Which branches and tags may deploy to an environment, one pattern at a time."""

from __future__ import annotations

from bot.twin.actions.gates import policy_of
from bot.twin.call import Answer, Call, Json, Problem, missing, route
from bot.twin.rest.environments import ENVIRONMENT, find_environment
from bot.twin.shapes.people import node_id
from bot.twin.store import Row, inserted, one, update

POLICIES = f"{ENVIRONMENT}/deployment-branch-policies"
POLICY = f"{POLICIES}/<int:key>"


def _shown(row: Row) -> Json:
    same = {k: row[k] for k in ("id", "name", "type")}
    return {**same, "node_id": node_id("GateBranchPolicy", row["id"])}


def _find(call: Call) -> Row:
    sql = "SELECT * FROM branch_policies WHERE environment_id = ? AND id = ?"
    row = one(call.db, sql, find_environment(call)["id"], call.args["key"])
    if row is None:
        raise missing()
    return row


def _known(call: Call, environment: int, name: str, kind: str) -> bool:
    sql = "SELECT 1 FROM branch_policies WHERE environment_id = ? AND name = ? AND type = ?"
    return one(call.db, sql, environment, name, kind) is not None


def _invalid() -> Problem:
    return Problem(422, "Validation Failed", {"field": "name", "code": "invalid"})


@route("GET", POLICIES, scope="actions:read")
def listing(call: Call) -> Answer:
    sql = "SELECT * FROM branch_policies WHERE environment_id = ? ORDER BY id"
    return call.page(sql, (find_environment(call)["id"],), _shown, "branch_policies")


@route("POST", POLICIES, role="admin", scope="administration:write")
def create(call: Call) -> Answer:
    """Nothing is there to add to unless the environment is limited to chosen names."""
    gate, name, kind = find_environment(call), call.need("name"), call.text("type") or "branch"
    if not policy_of(gate).get("custom_branch_policies"):
        raise missing()
    if not name or kind not in ("branch", "tag"):
        raise _invalid()
    if _known(call, gate["id"], name, kind):
        return Answer(303)
    made = inserted(call.db, "branch_policies", environment_id=gate["id"], name=name, type=kind)
    return Answer(200, _shown(made))


@route("GET", POLICY, scope="actions:read")
def get(call: Call) -> Json:
    return _shown(_find(call))


@route("PUT", POLICY, role="admin", scope="administration:write")
def rename(call: Call) -> Json:
    row, name = _find(call), call.need("name")
    if not name or _known(call, row["environment_id"], name, row["type"]):
        raise _invalid()
    update(call.db, "branch_policies", row["id"], name=name)
    return _shown(_find(call))


@route("DELETE", POLICY, role="admin", scope="administration:write")
def delete(call: Call) -> Answer:
    call.db.execute("DELETE FROM branch_policies WHERE id = ?", (_find(call)["id"],))
    return Answer(204)
