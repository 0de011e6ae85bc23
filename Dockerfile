# One image for the site and its workers.
FROM python:3.11-slim-bookworm

ENV PYTHONUNBUFFERED=1 PIP_DISABLE_PIP_VERSION_CHECK=1 VAR_DIR=/srv/var
WORKDIR /srv/apg

COPY requirements.txt requirements-export.txt constraints.txt ./
RUN pip install --no-cache-dir --only-binary=:all: -c constraints.txt \
    -r requirements.txt -r requirements-export.txt

COPY . .
# The key is for this step only; the running site reads its own from the environment.
RUN useradd --system --home-dir /srv/var --create-home apg \
    && SECRET_KEY=only-to-collect-static-files python manage.py collectstatic --no-input \
    && mkdir -p /srv/var/exports \
    && chown -R apg /srv/var

USER apg
EXPOSE 8000
ENV WEB_BIND=0.0.0.0:8000
CMD ["gunicorn", "studyapp.wsgi"]
