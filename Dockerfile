# Kongbox in a container: docs/DOCKER.md says how to build and run it.

FROM debian:trixie-slim AS built
RUN apt-get update && apt-get install --yes --no-install-recommends python3-venv
WORKDIR /source
# What is installed: runtime for one club, association for a server of many.
ARG REQUIRED=runtime
COPY requirements/build.txt requirements/${REQUIRED}.txt requirements/
# Only what is locked is installed, and only files with the hashes of the lock.
RUN python3 -m venv /opt/build && python3 -m venv --without-pip /opt/kongbox
RUN /opt/build/bin/pip install --no-cache-dir --require-hashes --only-binary :all: -r requirements/build.txt
RUN /opt/build/bin/pip --python /opt/kongbox/bin/python install --no-cache-dir --require-hashes --only-binary :all: -r requirements/${REQUIRED}.txt
COPY . .
RUN /opt/build/bin/pip wheel --no-cache-dir --no-deps --no-build-isolation --wheel-dir /wheels .
RUN /opt/build/bin/pip --python /opt/kongbox/bin/python install --no-deps --no-index /wheels/*.whl

FROM debian:trixie-slim
RUN apt-get update && apt-get install --yes --no-install-recommends python3 libgl1 libglib2.0-0 && rm -rf /var/lib/apt/lists/*
RUN useradd --uid 10001 --home-dir /data --shell /usr/sbin/nologin kongbox && install --directory --owner kongbox --group kongbox --mode 0700 /data
COPY --from=built /opt/kongbox /opt/kongbox
ENV PATH=/opt/kongbox/bin:/usr/bin:/bin HOME=/data XDG_DATA_HOME=/data LANG=C.UTF-8 PYTHONUNBUFFERED=1
USER kongbox
WORKDIR /data
VOLUME /data
EXPOSE 8000
HEALTHCHECK --interval=30s --timeout=5s --start-period=60s CMD ["python3", "-c", "from urllib.request import urlopen; urlopen('http://127.0.0.1:8000/healthz', timeout=4)"]
ENTRYPOINT ["kongbox"]
CMD ["serve", "--host", "0.0.0.0", "--port", "8000"]
