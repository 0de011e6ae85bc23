"""Settings, from the environment; what is unset is safe for production or stops the start."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import environ
from django.core.exceptions import ImproperlyConfigured
from django.templatetags.static import static

from studyapp.broker import broker_options

BASE_DIR = Path(__file__).resolve().parent.parent
env = environ.Env()

VAR_DIR = Path(env.str("VAR_DIR", default=str(BASE_DIR / "var")))
DEBUG = env.bool("DEBUG", default=False)
SECRET_KEY = env.str("SECRET_KEY", default="")
if not SECRET_KEY:
    raise ImproperlyConfigured(
        "SECRET_KEY is not set. A server needs one of at least 50 random characters in its "
        "environment. On a laptop, `make demo` makes one and keeps it under var/; for a command "
        "about that demo: python tools/demo.py COMMAND."
    )
# The bundled demo on one machine; only the `demo` command asks.
DEMO = env.bool("DEMO", default=False)
ALLOWED_HOSTS = env.list("ALLOWED_HOSTS", default=[])
CSRF_TRUSTED_ORIGINS = env.list("CSRF_TRUSTED_ORIGINS", default=[])

INSTALLED_APPS = [
    "unfold.apps.BasicAppConfig",
    "studyapp.operator_site.OperatorAdminConfig",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.humanize",
    "whitenoise.runserver_nostatic",
    "django.contrib.staticfiles",
    "django_htmx",
    "csp",
    "rest_framework",
    "drf_spectacular",
    "axes",
    "django_otp",
    "django_otp.plugins.otp_totp",
    "django_otp.plugins.otp_static",
    "studyapp",
]

MIDDLEWARE = [
    "studyapp.pages.request_metrics.RequestMetricsMiddleware",
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "csp.middleware.CSPMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.locale.LocaleMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django_otp.middleware.OTPMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
    "studyapp.pages.second_factor.SecondFactorMiddleware",
    "axes.middleware.AxesMiddleware",
    "studyapp.pages.framing.PreviewFrames",
]

ROOT_URLCONF = "studyapp.urls"
WSGI_APPLICATION = "studyapp.wsgi.application"
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
            ],
        },
    },
]

DATABASES = {"default": env.db("DATABASE_URL", default=f"sqlite:///{VAR_DIR / 'db.sqlite3'}")}
if DATABASES["default"]["ENGINE"] == "django.db.backends.sqlite3":
    # Writers queue instead of failing: measured with 200 simultaneous posts into 100 places.
    DATABASES["default"]["OPTIONS"] = {
        "transaction_mode": "IMMEDIATE",
        "timeout": 20,
        "init_command": (
            "PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL;"
            "PRAGMA busy_timeout=20000; PRAGMA foreign_keys=ON;"
            # What somebody had deleted is overwritten, not only unlinked from its table.
            "PRAGMA secure_delete=ON"
        ),
    }
else:
    DATABASES["default"]["CONN_MAX_AGE"] = env.int("CONN_MAX_AGE", default=60)

# Counts wrong receipt codes; a cache that web processes share counts them together.
CACHES = {"default": env.cache("CACHE_URL", default="locmemcache://")}

# Counts failed logins in the database: no cache to share between web processes, and as it is an
# authentication backend it guards every login form, the admin's too.
AUTHENTICATION_BACKENDS = [
    "axes.backends.AxesStandaloneBackend",
    "django.contrib.auth.backends.ModelBackend",
]
AXES_FAILURE_LIMIT = env.int("LOGIN_FAILURE_LIMIT", default=10)
AXES_COOLOFF_TIME = timedelta(minutes=15)
# Both together, so that a stranger who guesses cannot lock a researcher out from elsewhere.
AXES_LOCKOUT_PARAMETERS = [["username", "ip_address"]]
AXES_CLIENT_IP_CALLABLE = "studyapp.pages.address.client_address"
AXES_RESET_ON_SUCCESS = True
AXES_DISABLE_ACCESS_LOG = True
AXES_LOCKOUT_TEMPLATE = "registration/locked.html"
AXES_VERBOSE = False

AUTH_PASSWORD_VALIDATORS = [
    {"NAME": f"django.contrib.auth.password_validation.{name}"}
    for name in (
        "UserAttributeSimilarityValidator",
        "MinimumLengthValidator",
        "CommonPasswordValidator",
        "NumericPasswordValidator",
    )
]

LANGUAGE_CODE = "en"
# A language is offered once its translation is complete: a page must not claim to be in another.
LANGUAGES = [("en", "English"), ("pl", "Polski")]
LOCALE_PATHS = [BASE_DIR / "locale"]
TIME_ZONE = "UTC"
USE_I18N = True
USE_TZ = True

STATIC_URL = "static/"
STATICFILES_DIRS = [BASE_DIR / "static"]
STATIC_ROOT = VAR_DIR / "static"
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": "whitenoise.storage.CompressedManifestStaticFilesStorage"},
}

LOGIN_URL = "login"
LOGIN_REDIRECT_URL = "study-list"
LOGOUT_REDIRECT_URL = "login"

# Over plain HTTP (a laptop, the demo) secure cookies would never come back; say so explicitly.
INSECURE_HTTP = env.bool("INSECURE_HTTP", default=False)
SESSION_COOKIE_SECURE = not INSECURE_HTTP
CSRF_COOKIE_SECURE = not INSECURE_HTTP
# Staff sign in with a second factor; on a laptop whoever wants it sets one up.
SECOND_FACTOR_REQUIRED = env.bool("SECOND_FACTOR_REQUIRED", default=not INSECURE_HTTP)
OTP_TOTP_ISSUER = "Two Reports"
# An operator may take a device away, and not read its secret.
OTP_ADMIN_HIDE_SENSITIVE_DATA = True
# `smtp+tls://user:password@host:587`; unset, nothing is sent and pages show what would be.
EMAIL = env.email_url("EMAIL_URL", default="dummymail://")
globals().update(EMAIL)
SENDS_MAIL = EMAIL["EMAIL_BACKEND"] != "django.core.mail.backends.dummy.EmailBackend"
# A mail server that does not answer must not hold a worker.
EMAIL_TIMEOUT = 20
DEFAULT_FROM_EMAIL = env.str("EMAIL_FROM", default="webmaster@localhost")
CSRF_FAILURE_VIEW = "studyapp.pages.csrf.csrf_failure"
SECURE_SSL_REDIRECT = not INSECURE_HTTP
# Asked from inside, without TLS.
SECURE_REDIRECT_EXEMPT = [r"^healthz$", r"^readyz(/worker)?$", r"^metrics$"]
SECURE_HSTS_SECONDS = 0 if INSECURE_HTTP else env.int("HSTS_SECONDS", default=31_536_000)
SECURE_HSTS_INCLUDE_SUBDOMAINS = not INSECURE_HTTP
SECURE_HSTS_PRELOAD = not INSECURE_HTTP
SECURE_REFERRER_POLICY = "same-origin"
SECURE_CONTENT_TYPE_NOSNIFF = True
if env.bool("BEHIND_PROXY", default=False):
    SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
X_FRAME_OPTIONS = "DENY"
CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": ["'none'"],
        "script-src": ["'self'"],
        "style-src": ["'self'"],
        "img-src": ["'self'", "data:"],
        "font-src": ["'self'"],
        "connect-src": ["'self'"],
        "form-action": ["'self'"],
        "frame-ancestors": ["'none'"],
        "base-uri": ["'none'"],
        "manifest-src": ["'self'"],
    }
}

UNFOLD = {
    "SITE_TITLE": "Two Reports",
    "SITE_HEADER": "Two Reports",
    "SITE_SUBHEADER": "Operators",
    "SITE_SYMBOL": "compare",
    "SITE_FAVICONS": [{"rel": "icon", "href": lambda _request: static("favicon.svg")}],
    "SHOW_VIEW_ON_SITE": False,
    "STYLES": [lambda _request: static("operators.css")],
}

CELERY_BROKER_URL = env.str("CELERY_BROKER_URL", default="filesystem://localhost/")
if CELERY_BROKER_URL.startswith("filesystem:"):
    CELERY_BROKER_TRANSPORT_OPTIONS = broker_options(VAR_DIR / "broker")
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
CELERY_TASK_DEFAULT_QUEUE = env.str("CELERY_QUEUE", default="apg")
CELERY_TASK_ACKS_LATE = True
CELERY_TASK_REJECT_ON_WORKER_LOST = True
CELERY_TASK_IGNORE_RESULT = True
# A run waits for a model, not for a core: threads are enough, and one process is easy to end.
CELERY_WORKER_POOL = "threads"
CELERY_WORKER_CONCURRENCY = env.int("WORKER_CONCURRENCY", default=2)
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
CELERY_WORKER_ENABLE_REMOTE_CONTROL = False
CELERY_WORKER_HIJACK_ROOT_LOGGER = False
CELERY_TIMEZONE = "UTC"

TRACE_MAX_BYTES = env.int("TRACE_MAX_BYTES", default=20_000_000)
# A worker renews its lease on a run; whoever sweeps after it ran out queues the run again.
RUN_LEASE_SECONDS = env.int("RUN_LEASE_SECONDS", default=60)
# The analysis of a study is a process of its own; after this long it is ended.
REPORT_TIMEOUT_SECONDS = env.int("REPORT_TIMEOUT_SECONDS", default=600)
SWEEP_SECONDS = env.int("SWEEP_SECONDS", default=15)
# Who asks for sweeps: each worker by its own timer, or one `celery beat` for all of them.
SWEEP_BY = env.str("SWEEP_BY", default="workers")
if SWEEP_BY not in ("workers", "beat"):
    raise ImproperlyConfigured(f"SWEEP_BY is {SWEEP_BY!r}; allowed are workers and beat.")
if SWEEP_BY == "beat":
    CELERY_BEAT_SCHEDULE = {
        "sweep": {
            "task": "studyapp.tasks.runs_sweep",
            "schedule": SWEEP_SECONDS,
            # So that a worker that was busy for an hour does not meet a heap of them.
            "options": {"expires": SWEEP_SECONDS},
        }
    }
# Webhooks go over TLS to the public network; a receiver beside the site needs these two.
WEBHOOK_PLAIN_HTTP = env.bool("WEBHOOK_PLAIN_HTTP", default=DEBUG)
WEBHOOK_PRIVATE_ADDRESSES = env.bool("WEBHOOK_PRIVATE_ADDRESSES", default=False)
# Built exports lie here for a while; web and worker need the same folder.
EXPORT_DIR = VAR_DIR / "exports"
# Participants that a worker writes between two marks from which another could go on.
EXPORT_PORTION = 1000
EXPORT_KEEP_HOURS = env.int("EXPORT_KEEP_HOURS", default=72)

# Whoever sends it may read /metrics; unset, there is no such page and nothing is counted.
METRICS_TOKEN = env.str("METRICS_TOKEN", default="")

LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {"json": {"()": "studyapp.logs.JsonFormatter"}},
    "handlers": {"stderr": {"class": "logging.StreamHandler", "formatter": "json"}},
    "root": {"handlers": ["stderr"], "level": env.str("LOG_LEVEL", default="INFO")},
    "loggers": {"django": {"handlers": [], "propagate": True}},
}

# Requests of one token; counted in the cache that CACHE_URL names, so by process where it is none.
API_RATE = env.str("API_RATE", default="600/min")
REST_FRAMEWORK = {
    "DEFAULT_AUTHENTICATION_CLASSES": ["studyapp.api.authentication.TokenAuthentication"],
    "DEFAULT_PERMISSION_CLASSES": ["rest_framework.permissions.IsAuthenticated"],
    "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
    "DEFAULT_SCHEMA_CLASS": "studyapp.api.schema.ApiSchema",
    "EXCEPTION_HANDLER": "studyapp.api.problems.problem_handler",
    "URL_FORMAT_OVERRIDE": None,
}
SPECTACULAR_SETTINGS = {
    "TITLE": "Two Reports",
    "DESCRIPTION": "Blind studies of two reports: build, launch, watch and export.",
    "VERSION": "1",
    "SCHEMA_PATH_PREFIX": "/api/v1",
    "SERVE_INCLUDE_SCHEMA": False,
    "COMPONENT_SPLIT_REQUEST": True,
    "ENUM_GENERATE_CHOICE_DESCRIPTION": False,
}
