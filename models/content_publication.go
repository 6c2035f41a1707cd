package models

import (
	"time"

	"levy/tax/content"
)

// ContentPublication is a signed bundle of content that was taken.
type ContentPublication struct {
	content.Publication

	Version    string
	SHA256     []byte // of its manifest
	Missed     int64  // bundles before it that never arrived
	ReceivedAt time.Time
}
