# docker build -t skolemate . && docker run --rm skolemate solve 'hein(9)'
FROM python:3.12-slim-bookworm AS build
RUN apt-get update && apt-get install -y --no-install-recommends g++ make zlib1g-dev
COPY . /source
RUN python -m venv /opt/skolemate && /opt/skolemate/bin/pip install --no-cache-dir '/source[all]'

FROM python:3.12-slim-bookworm
COPY --from=build /opt/skolemate /opt/skolemate
RUN useradd --create-home player
USER player
WORKDIR /home/player
ENTRYPOINT ["/opt/skolemate/bin/skolemate"]
CMD ["--help"]
