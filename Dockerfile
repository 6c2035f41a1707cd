# syntax=docker/dockerfile:1
FROM golang:1.26.11-bookworm AS build
WORKDIR /src
COPY go.mod go.sum ./
COPY clients/go/go.mod clients/go/
RUN --mount=type=cache,target=/go/pkg/mod go mod download
COPY . .
ARG VERSION=container
RUN --mount=type=cache,target=/go/pkg/mod --mount=type=cache,target=/root/.cache/go-build \
    CGO_ENABLED=0 go build -trimpath -ldflags "-s -w -X main.version=${VERSION}" -o /levy ./cmd/levy

# Certificates, time zones and a user, but neither shell nor packages.
FROM gcr.io/distroless/static-debian12:nonroot
COPY --from=build /levy /levy
# The API is public; metrics and readiness are for the operator.
ENV LEVY_HTTP_ADDR=0.0.0.0:8080 LEVY_PRIVATE_ADDR=0.0.0.0:9180
EXPOSE 8080 9180
HEALTHCHECK --interval=5s --timeout=5s --start-period=30s --retries=6 CMD ["/levy", "ready"]
ENTRYPOINT ["/levy"]
CMD ["api"]
