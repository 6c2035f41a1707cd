// Package telemetry sets up what a process says about itself: logs (slog),
// metrics (Prometheus) and traces (OpenTelemetry).
package telemetry
