"""What every operation stands on: the token, the study it may know of, and what it may do there."""

from __future__ import annotations

from typing import Any, ClassVar, cast

from django.contrib.auth.models import AbstractUser
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.utils.cache import patch_cache_control
from rest_framework.exceptions import NotAuthenticated, NotFound, PermissionDenied
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.serializers import Serializer
from rest_framework.views import APIView

from studyapp.api.parsing import BoundedJSONParser
from studyapp.api.throttling import TokenThrottle
from studyapp.domain.permissions import Action
from studyapp.selectors.api_access import ApiAccess
from studyapp.selectors.permissions import may
from studyapp.selectors.study import StudyPage, study_find


class ApiView(APIView):
    """An operation for whoever holds a token. `actions` says which action a method asks for."""

    parser_classes = [BoundedJSONParser]
    throttle_classes = [TokenThrottle]
    http_method_names = ["get", "post", "head"]
    actions: ClassVar[dict[str, Action]] = {}

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        """Look at the token, count it, and ask whether it is for this."""
        super().initial(request, *args, **kwargs)
        if not isinstance(request.auth, ApiAccess):
            raise NotAuthenticated
        if request.method not in self.allowed_methods:
            self.http_method_not_allowed(request)
        self.check_action(request)

    def check_action(self, request: Request) -> None:
        """Ask whether the token is for what the method does.

        Raises:
            PermissionDenied: it is not.
        """
        if self.asked not in self.access.scopes:
            raise PermissionDenied(f"This token is not for {self.asked}.")

    def finalize_response(
        self, request: Request, response: HttpResponseBase, *args: Any, **kwargs: Any
    ) -> Response:
        """Have nothing kept by a browser or a proxy."""
        answered = super().finalize_response(request, cast("Any", response), *args, **kwargs)
        patch_cache_control(answered, no_store=True, private=True)
        return answered

    @property
    def access(self) -> ApiAccess:
        """The token."""
        return cast("ApiAccess", self.request.auth)

    @property
    def actor(self) -> AbstractUser:
        """The researcher whose token it is."""
        return cast("AbstractUser", self.access.user)

    @property
    def actor_id(self) -> int:
        """The researcher's primary key, for the log."""
        return int(self.access.user.pk)

    @property
    def asked(self) -> Action:
        """What the method asks for; HEAD is GET, and what nobody decided about nobody may."""
        method = "GET" if self.request.method == "HEAD" else str(self.request.method)
        return self.actions.get(method, Action.GOVERN)

    def read(self, body_class: type[Serializer[Any]]) -> dict[str, Any]:
        """Return the body as `body_class` reads it.

        Raises:
            ValidationError: something in it is not allowed.
        """
        body = body_class(data=self.request.data)
        body.is_valid(raise_exception=True)
        return dict(body.validated_data)

    def query(self, query_class: type[Serializer[Any]]) -> dict[str, Any]:
        """Return the query as `query_class` reads it; what stands there empty is not left out.

        Raises:
            ValidationError: something in it is not allowed.
        """
        query = query_class(data=self.request.query_params.dict())
        query.is_valid(raise_exception=True)
        return dict(query.validated_data)

    def site(self, path: str) -> str:
        """Return an address with this site's name."""
        return cast("HttpRequest", self.request).build_absolute_uri(path)


class OneStudyView(ApiView):
    """An operation in one study. A stranger to the study gets what a missing one gives: 404."""

    study: StudyPage

    def check_action(self, request: Request) -> None:
        """Find the study among those the researcher may know of, then ask role and token.

        Raises:
            NotFound: there is no such study, or they may not know of it.
            PermissionDenied: their role there, or the token, is not for this.
        """
        study = study_find(self.actor, self.kwargs["slug"])
        if study is None:
            raise NotFound
        if not may(self.actor, study.id, self.asked):
            raise PermissionDenied("Your role in this study does not allow this.")
        super().check_action(request)
        self.study = study
