package telemetry

import "time"

// SetTimeout changes how long a log call waits, before the first line.
func SetTimeout(w *LogWriter, timeout time.Duration) { w.timeout = timeout }
