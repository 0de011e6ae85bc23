"""What somebody is told about a study while they are not looking: by mail, by webhook."""

from __future__ import annotations

from typing import Any, Final

from django.conf import settings
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils import timezone
from django.utils.translation import gettext as _

from studyapp import tasks
from studyapp.domain.occasions import CHOICES, MAX_ATTEMPTS
from studyapp.errors import NoticeError
from studyapp.pages.researcher import OneStudyPage, StudyAction
from studyapp.pages.researcher_notice_forms import MailForm, RuleForm, WebhookForm
from studyapp.selectors.notices import (
    WebhookRow,
    deliveries_rows,
    mail_wish,
    notices_rows,
    webhook_find,
    webhooks_rows,
)
from studyapp.selectors.occasions import rule_of
from studyapp.services.notices import (
    mail_set,
    rule_set,
    webhook_change,
    webhook_create,
    webhook_remove,
    webhook_test,
)

# The latest of a list; the API has the rest.
_SHOWN: Final = 50


class NoticesPage(OneStudyPage):
    """What was told, who is told, and the rule of stalls, which is posted here."""

    def get(self, request: HttpRequest, slug: str) -> HttpResponse:
        """Show it."""
        rule = rule_of(self.study.id)
        return self.show(RuleForm(initial={"hours": rule.hours, "people": rule.people}))

    def post(self, request: HttpRequest, slug: str) -> HttpResponse:
        """Store the rule of stalls, or say what is wrong."""
        form = RuleForm(request.POST)
        if not form.is_valid():
            return self.show(form, status=400)
        rule_set(
            study_id=self.study.id,
            rule=form.rule(),
            actor_id=self.actor_id,
            now=timezone.now(),
        )
        messages.success(request, _("It is stored."))
        return redirect("study-notices", slug=slug)

    def show(self, rule_form: RuleForm, *, status: int = 200) -> HttpResponse:
        """Render the page."""
        wish = mail_wish(self.study.id, self.actor_id)
        return self.page(
            "notices.html",
            status=status,
            form=rule_form,
            mail_form=MailForm(initial={"occasions": wish.occasions if wish else ()}),
            wish=wish,
            sends_mail=settings.SENDS_MAIL,
            webhooks=list(webhooks_rows(self.study.id)),
            notices=notices_rows(self.study.id).part(0, _SHOWN),
        )


class NoticesMailAction(StudyAction):
    """The reader's own mail."""

    def act(self) -> str:
        """Store on which occasions they want it."""
        mail_set(
            study_id=self.study.id,
            actor_id=self.actor_id,
            occasions=self.request.POST.getlist("occasions"),
            now=timezone.now(),
        )
        return _("It is stored.")

    def back(self) -> HttpResponse:
        """Lead back to the notices."""
        return redirect("study-notices", slug=self.study.slug)


class WebhookCreatePage(OneStudyPage):
    """A new webhook; its secret is shown once."""

    def get(self, request: HttpRequest, slug: str) -> HttpResponse:
        """Show the form."""
        return self._show(WebhookForm(initial={"occasions": CHOICES}))

    def post(self, request: HttpRequest, slug: str) -> HttpResponse:
        """Store it and show its secret, or say what is wrong."""
        form = WebhookForm(request.POST)
        if not form.is_valid():
            return self._show(form, status=400)
        try:
            made = webhook_create(
                study_id=self.study.id,
                plan=form.plan(),
                actor_id=self.actor_id,
                now=timezone.now(),
            )
        except NoticeError as error:
            form.add_error(None, str(error))
            return self._show(form, status=400)
        return self._show(form, made=made)

    def _show(self, form: WebhookForm, *, status: int = 200, **context: Any) -> HttpResponse:
        return self.page("webhook_create.html", status=status, form=form, **context)


class WebhookDetailPage(OneStudyPage):
    """One webhook: where it goes, what became of its messages, and a form to change it."""

    def get(self, request: HttpRequest, slug: str, webhook: int) -> HttpResponse:
        """Show it."""
        found = self._found(webhook)
        initial = {
            "url": found.url,
            "description": found.description,
            "occasions": found.occasions,
        }
        return self._show(found, WebhookForm(initial=initial))

    def post(self, request: HttpRequest, slug: str, webhook: int) -> HttpResponse:
        """Change it, or say what is wrong."""
        found, form = self._found(webhook), WebhookForm(request.POST)
        if not form.is_valid():
            return self._show(found, form, status=400)
        try:
            webhook_change(
                study_id=self.study.id,
                webhook_id=found.id,
                plan=form.plan(),
                actor_id=self.actor_id,
                now=timezone.now(),
            )
        except NoticeError as error:
            form.add_error(None, str(error))
            return self._show(found, form, status=400)
        messages.success(request, _("It is stored."))
        return redirect("webhook-detail", slug=slug, webhook=found.id)

    def _found(self, webhook: int) -> WebhookRow:
        found = webhook_find(self.study.id, webhook)
        if found is None:
            raise Http404
        return found

    def _show(self, found: WebhookRow, form: WebhookForm, *, status: int = 200) -> HttpResponse:
        return self.page(
            "webhook_detail.html",
            status=status,
            webhook=found,
            form=form,
            deliveries=deliveries_rows(found.id).part(0, _SHOWN),
            most_attempts=MAX_ATTEMPTS,
        )


class WebhookTestAction(StudyAction):
    """A test sent to a webhook."""

    def act(self) -> str:
        """Put it on its way and wake a worker."""
        delivery = webhook_test(
            study_id=self.study.id,
            webhook_id=self.kwargs["webhook"],
            actor_id=self.actor_id,
            now=timezone.now(),
        )
        tasks.notice_deliver.delay_on_commit(delivery_id=delivery)
        return _("A test is on its way. Load this page again to see whether it has arrived.")

    def back(self) -> HttpResponse:
        """Lead back to the webhook."""
        webhook = self.kwargs["webhook"]
        return redirect("webhook-detail", slug=self.study.slug, webhook=webhook)


class WebhookRemoveAction(StudyAction):
    """A webhook removed."""

    def act(self) -> str:
        """Remove it."""
        webhook_remove(
            study_id=self.study.id,
            webhook_id=self.kwargs["webhook"],
            actor_id=self.actor_id,
            now=timezone.now(),
        )
        return _("The webhook is removed. Nothing is sent to it any more.")

    def back(self) -> HttpResponse:
        """Lead back to the notices."""
        return redirect("study-notices", slug=self.study.slug)
