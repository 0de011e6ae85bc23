# The two commands a newcomer needs are `make demo` and `make test`; both set up all they need.
PYTHON ?=
PORT ?= 8000
LLM_PORT ?= 8090
VENV ?= .venv

# Modules are compiled when they are met first, which only pays where the result is kept.
unexport PYTHONDONTWRITEBYTECODE

in_venv = $(VENV)/bin/python -m
build = python="$$(sh tools/python.sh $(1) '$(VENV)' '$(PYTHON)')" && "$$python" tools/start.py tools/environment.py $(1) '$(VENV)'
# `check --deploy` asks how the settings stand on a server: nothing here is a real secret.
as_server = env -u DEBUG -u INSECURE_HTTP SECRET_KEY=$$(printf 'not-a-real-key-%.0s' 1 2 3 4 5) \
	ALLOWED_HOSTS=study.example DATABASE_URL=sqlite://:memory:

.PHONY: help demo test check format environment messages retrieval local-llm local-llm-packages
.DEFAULT_GOAL := help

help: ## Show this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## /{printf "  make %-12s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

demo: ## Build the environment and run the demo study at http://127.0.0.1:8000 (PORT=, PYTHON=)
	@$(call build,demo) && exec $(VENV)/bin/python tools/start.py tools/demo.py demo --port '$(PORT)'

test: environment check ## Run every check and every test on PostgreSQL, Redis and the embedded default
	@$(in_venv) pytest -q -n auto --maxprocesses 4 --dist worksteal $(PYTEST)

check: environment ## Run every check that is not a test
	@$(in_venv) ruff check
	@$(in_venv) ruff format --check --quiet
	@$(VENV)/bin/lint-imports --no-logo
	@$(VENV)/bin/djlint --lint --quiet templates
	@find templates -name '*.html' -print0 | xargs -0 $(VENV)/bin/djade --check --target-version 5.2
	@$(VENV)/bin/python tools/messages.py check
	@$(as_server) $(in_venv) mypy
	@$(as_server) $(VENV)/bin/python manage.py makemigrations --check --dry-run
	@$(as_server) $(VENV)/bin/python manage.py check --deploy --fail-level WARNING
	@$(as_server) $(VENV)/bin/python manage.py spectacular --validate --fail-on-warn --file $(VENV)/openapi.yaml
	@diff -u docs/openapi.yaml $(VENV)/openapi.yaml

format: environment ## Format the code and the templates
	@$(in_venv) ruff check --fix --quiet
	@$(in_venv) ruff format
	@find templates -name '*.html' -print0 | xargs -0 $(VENV)/bin/djade --target-version 5.2

messages: environment ## Bring the files of translations up to date with the site's strings
	@$(VENV)/bin/python tools/messages.py collect
	@$(VENV)/bin/python tools/messages.py compile

retrieval: ## Add the small embedding model and the index for the courtroom (about 120 MB)
	@$(call build,retrieval)

local-llm: ## Serve a small real model on 127.0.0.1, to try the model path, not to judge (LLM_PORT=)
	@$(call build,demo) && exec $(VENV)/bin/python tools/start.py tools/local_llm.py serve --port '$(LLM_PORT)'

local-llm-packages: # what `make local-llm` and the tests marked local_llm need
	@$(call build,demo) && $(VENV)/bin/python tools/local_llm.py packages

environment: # what the checks and tests need
	@$(call build,test)
