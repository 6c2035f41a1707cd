// Package telemetry sets up what a process tells about itself: logs (slog),
// metrics (Prometheus) and traces (OpenTelemetry).
package telemetry
