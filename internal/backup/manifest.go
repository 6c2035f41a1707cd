package backup

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"time"
)

const (
	manifestFile = "levy-backup.json"
	dataFolder   = "data"
	unfinished   = ".unfinished" // behind the name of a backup that is being taken
)

// Contents is what a cluster holds by its own word.
type Contents struct {
	SchemaVersion  int64  `json:"schema_version"`
	ContentVersion string `json:"content_version"` // of the tax content in force; empty: what the program carries
}

// Manifest says what a backup is.
type Manifest struct {
	MadeBy     string    `json:"made_by"` // the version of Levy
	BeganAt    time.Time `json:"began_at"`
	EndedAt    time.Time `json:"ended_at"`
	PostgreSQL string    `json:"postgresql"`
	Major      int       `json:"postgresql_major"`
	Database   string    `json:"database"`
	Login      string    `json:"login"`
	Timeline   int       `json:"timeline"`
	StartLSN   string    `json:"start_lsn"`
	EndLSN     string    `json:"end_lsn"`  // transactions committed before it are in the backup
	Bytes      int64     `json:"bytes"`    // of the files in its archive
	Contents   Contents  `json:"contents"` // when it was verified; else when it began
	// MasterKeys are the ids of the master keys and wrapping keys without which what is restored cannot be used.
	MasterKeys []string `json:"master_keys,omitempty"`
	// VerifiedAt is when a server was last started on a copy of it and its records were checked; nil
	// for never, and NotVerified says why.
	VerifiedAt  *time.Time `json:"verified_at"`
	NotVerified string     `json:"not_verified,omitempty"`
	// Base is the backup on which an incremental one rests; nil for a full one.
	Base *Base `json:"rests_on,omitempty"`
	// Archive is the file or object with the cluster; nil in a folder where an earlier release put its files.
	Archive *Archive `json:"archive,omitempty"`
	// Read is called with the number of bytes of the archive that were read since the last call; it may be nil.
	Read func(bytes int) `json:"-"`
}

// Base names the backup on which an incremental one rests, in the same place. The checksum tells whether it is still that one.
type Base struct {
	Name   string `json:"backup"`
	SHA256 string `json:"archive_sha256"`
}

// notEnded is the state of a backup whose verification was begun.
const notEnded = "its verification has not ended"

// begun returns the manifest of a backup that was taken and is to be verified.
func (m *Manifest) begun() *Manifest {
	first := *m
	first.NotVerified = notEnded
	return &first
}

// Ended reports whether the verification of a backup has ended, or was not wanted.
func (m *Manifest) Ended() bool { return m.VerifiedAt != nil || m.NotVerified != notEnded }

// encode returns the manifest as it is kept.
func (m *Manifest) encode() ([]byte, error) {
	raw, err := json.MarshalIndent(m, "", "  ")
	return append(raw, '\n'), err
}

// dataIn is the folder of the cluster in a backup.
func dataIn(folder string) string { return filepath.Join(folder, dataFolder) }

// positions takes over from where to where the WAL of a backup goes, which PostgreSQL writes down.
func (m *Manifest) positions(list fileList) error {
	if len(list.Ranges) == 0 {
		return fmt.Errorf("%s does not say which WAL the backup needs", listFile)
	}
	first, last := list.Ranges[0], list.Ranges[0]
	for _, r := range list.Ranges {
		if r.Timeline < first.Timeline {
			first = r
		}
		if r.Timeline > last.Timeline {
			last = r
		}
	}
	m.Timeline, m.StartLSN, m.EndLSN = last.Timeline, first.Start, last.End
	return nil
}

// nameLayout is the name of a backup by the time at which it began: they sort by it.
const nameLayout = "2006-01-02T15-04-05Z"

func nameAt(at time.Time) string { return at.UTC().Format(nameLayout) }

// BeganAt returns when the backup of a name began. Errors: it is no name of a backup.
func BeganAt(name string) (time.Time, error) { return time.Parse(nameLayout, name) }
