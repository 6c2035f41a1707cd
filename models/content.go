package models

import "time"

// ContentVersion describes one snapshot of the tax content.
type ContentVersion struct {
	Version string
	// Base is the version it was made from by an import; empty for content that
	// came with a program.
	Base    string
	Note    string
	Sources []ContentSource
	// RecordedAt is when the content became known here; ActivatedAt when it last
	// came into force.
	RecordedAt  time.Time
	ActivatedAt *time.Time
	Active      bool
}

// ContentSource is a file that was imported.
type ContentSource struct {
	File   string `json:"file"`
	SHA256 string `json:"sha256"`
	Rows   int    `json:"rows"`
}
