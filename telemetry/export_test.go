package telemetry

import "time"

// SetPatience changes how long whoever logs waits, before the first line.
func SetPatience(w *LogWriter, patience time.Duration) { w.patience = patience }
