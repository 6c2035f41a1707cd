# syntax=docker/dockerfile:1
# The PostgreSQL of the service, for --target backup.
ARG POSTGRES_IMAGE=postgres:17.6
FROM golang:1.26.11-bookworm AS build
WORKDIR /src
COPY go.mod go.sum ./
COPY clients/go/go.mod clients/go/
RUN --mount=type=cache,target=/go/pkg/mod go mod download
COPY . .
ARG VERSION=container
RUN --mount=type=cache,target=/go/pkg/mod --mount=type=cache,target=/root/.cache/go-build \
    CGO_ENABLED=0 go build -trimpath -ldflags "-s -w -X main.version=${VERSION}" -o /levy ./cmd/levy

# Backups and restores need the programs of PostgreSQL, in the major version of the server: docker build --target backup
FROM ${POSTGRES_IMAGE} AS backup
COPY --from=build /levy /levy
RUN install -d -m 0700 -o postgres -g postgres /backups /restored
USER postgres
ENTRYPOINT ["/levy"]
CMD ["backup", "--help"]

# Certificates, time zones and a user, but neither shell nor packages.
FROM gcr.io/distroless/static-debian12:nonroot
COPY --from=build /levy /levy
# The API is public; metrics and readiness are for the operator.
ENV LEVY_HTTP_ADDR=0.0.0.0:8080 LEVY_PRIVATE_ADDR=0.0.0.0:9180
EXPOSE 8080 9180
HEALTHCHECK --interval=5s --timeout=5s --start-period=30s --retries=6 CMD ["/levy", "ready"]
ENTRYPOINT ["/levy"]
CMD ["api"]
