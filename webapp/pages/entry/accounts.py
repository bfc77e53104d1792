"""The secretary's pages for accounts: names, roles and passwords."""

from __future__ import annotations

from typing import Final

from flask import (
    Blueprint,
    abort,
    flash,
    make_response,
    redirect,
    render_template,
    request,
    url_for,
)
from flask_babel import gettext, lazy_gettext
from werkzeug.wrappers import Response

from webapp.security.accounts import ROLES, AccountRefused, Role
from webapp.security.headers import is_here
from webapp.security.login import accounts, begin_session, stay
from webapp.security.policy import SECRETARY, Policy

pages = Blueprint("accounts", __name__, url_prefix="/accounts")

ROLE_WORDS: Final = {
    "secretary": lazy_gettext("Secretary: may do everything"),
    "scorer": lazy_gettext("Scorer: enters what is played"),
    "guest": lazy_gettext("Guest: looks at everything"),
}
"""The words for each role."""


def _page(message: str | None) -> str:
    return render_template(
        "entry/accounts.html",
        accounts=accounts().all(),
        roles=ROLE_WORDS,
        form=request.form,
        message=message,
    )


@pages.errorhandler(AccountRefused)
def _refused(refusal: AccountRefused) -> Response:
    """What cannot be is told above the form, which keeps what was typed."""
    return make_response(_page(str(refusal)), 400)


def _role(given: str) -> Role:
    """The role that was chosen.

    Raises:
        AccountRefused: it is not a role.
    """
    role = next((role for role in ROLES if role == given), None)
    if role is None:
        raise AccountRefused(gettext("Choose what this person can do."))
    return role


def typed_password() -> str:
    """The password, which was typed twice.

    Raises:
        AccountRefused: the two are not the same.
    """
    password = request.form.get("password", "")
    if password != request.form.get("again", ""):
        raise AccountRefused(gettext("The two passwords are different. Type them again."))
    return password


def _refuse_last(account_id: str, name: str) -> None:
    """Refuse to remove the only secretary, without whom the page would be open to everybody.

    Raises:
        AccountRefused: the account is the only secretary's.
    """
    if [a.id for a in accounts().all() if a.role == "secretary"] == [account_id]:
        raise AccountRefused(
            gettext("%(name)s is the only secretary. Make someone else secretary first.", name=name)
        )


@pages.get("")
@Policy(SECRETARY)
def index() -> str:
    """Show all accounts."""
    return _page(None)


@pages.post("")
@Policy(SECRETARY)
def add() -> Response:
    """Add an account; the first one is a secretary's and is logged in at once."""
    kept = accounts()
    first = not kept.any()
    if first and not is_here():
        abort(403, gettext("Create the first account on the computer itself."))
    role: Role = "secretary" if first else _role(request.form.get("role", ""))
    account = kept.add(request.form.get("name", ""), role, typed_password())
    if first:
        begin_session(account)
    flash(gettext("%(name)s can log in.", name=account.name), "good")
    return redirect(url_for("accounts.index"), 303)


@pages.post("/<account_id>/role")
@Policy(SECRETARY)
def change_role(account_id: str) -> Response:
    """Give an account another role and end its logins, except the one that changes it."""
    account = accounts().set_role(account_id, _role(request.form.get("role", "")))
    stay(account_id)
    flash(gettext("The role of %(name)s has been changed.", name=account.name), "good")
    return redirect(url_for("accounts.index"), 303)


@pages.post("/<account_id>/password")
@Policy(SECRETARY)
def change_password(account_id: str) -> Response:
    """Give an account a new password and end its logins, except the one that changes it."""
    kept = accounts()
    name = kept.account(account_id).name
    kept.set_password(name, typed_password())
    stay(account_id)
    flash(gettext("The password of %(name)s has been changed.", name=name), "good")
    return redirect(url_for("accounts.index"), 303)


@pages.get("/<account_id>/remove")
@Policy(SECRETARY)
def ask_remove(account_id: str) -> str:
    """Show what removing an account means and ask for confirmation."""
    account = accounts().account(account_id)
    return render_template("entry/account_remove.html", account=account)


@pages.post("/<account_id>/remove")
@Policy(SECRETARY)
def remove(account_id: str) -> Response:
    """Remove an account."""
    kept = accounts()
    name = kept.account(account_id).name
    _refuse_last(account_id, name)
    kept.remove(name)
    flash(gettext("%(name)s can no longer log in.", name=name), "good")
    return redirect(url_for("accounts.index"), 303)
