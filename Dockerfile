# DropQA with everything it needs, weights included; the library is in the volume /library.
FROM python:3.11-slim AS packages
# The file leaves out on purpose what packages ask for and never use here.
COPY requirements.txt /tmp/requirements.txt
RUN python -m venv /opt/dropqa \
    && /opt/dropqa/bin/pip install --no-cache-dir --no-compile --no-deps -r /tmp/requirements.txt \
    # A library in PostgreSQL, should there be one.
    && /opt/dropqa/bin/pip install --no-cache-dir --no-compile --no-deps \
        psycopg==3.3.9 psycopg-binary==3.3.9 psycopg-pool==3.3.3

FROM python:3.11-slim
ENV PATH=/opt/dropqa/bin:$PATH \
    PYTHONUNBUFFERED=1 \
    PYTHONDONTWRITEBYTECODE=1 \
    HOME=/tmp \
    DROPQA_LIBRARY=/library \
    DROPQA_SERVER__HOST=0.0.0.0
RUN useradd --uid 10001 --user-group --no-create-home dropqa \
    && install --directory --owner=dropqa --group=dropqa --mode=700 /library /originals
COPY --from=packages /opt/dropqa /opt/dropqa
COPY . /app
WORKDIR /app
USER 10001
VOLUME /library
EXPOSE 8501
HEALTHCHECK --interval=30s --timeout=5s --start-period=60s \
    CMD ["python", "-c", "import urllib.request; urllib.request.urlopen('http://127.0.0.1:8501/healthz', timeout=4)"]
ENTRYPOINT ["python", "-m", "engine.interfaces.cli"]
CMD ["app", "--no-browser", "--port", "8501"]
