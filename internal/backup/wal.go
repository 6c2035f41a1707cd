package backup

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

const partial = ".partial" // behind the name of a segment that is being written

var (
	segmentName = regexp.MustCompile(`^[0-9A-F]{24}(\.partial)?$`)
	historyName = regexp.MustCompile(`^[0-9A-F]{8}\.history$`)
	markName    = regexp.MustCompile(`^[0-9A-F]{24}\.[0-9A-F]{8}\.backup$`)
)

// namesWAL reports whether a file of pg_wal may be archived: a segment, the history of a timeline, or a mark of a backup.
func namesWAL(name string) bool {
	return segmentName.MatchString(name) || historyName.MatchString(name) || markName.MatchString(name)
}

// segment is a file of WAL.
type segment struct {
	name    string // without .partial
	partial bool
	number  uint64
}

// addWAL puts into pg_wal of a restored cluster what the archive has and the backup has not. A piece
// that is missing in between is an error: what comes behind it could not be restored, and no
// message would say so.
func addWAL(ctx context.Context, archive WALArchive, data string, m *Manifest) error {
	perID, err := segmentsPerID(data)
	if err != nil {
		return err
	}
	segments, err := copyHistories(ctx, archive, data, perID)
	if err != nil {
		return err
	}
	if len(segments) == 0 {
		return fmt.Errorf("%s has no WAL: restore without --wal, or name where it is", archive.Address())
	}
	first, last, err := m.segments(perID)
	if err != nil {
		return err
	}
	segments = slices.DeleteFunc(segments, func(s segment) bool { return s.number < first })
	if err := gap(segments, last); err != nil {
		return fmt.Errorf("the WAL in %s: %w", archive.Address(), err)
	}
	for _, s := range segments {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err := s.copy(ctx, archive, data); err != nil {
			return err
		}
	}
	return nil
}

// copyHistories copies the histories of timelines from an archive, and lists the segments there.
func copyHistories(ctx context.Context, archive WALArchive, data string, perID uint64) (segments []segment, err error) {
	names, err := archive.Names(ctx)
	if err != nil {
		return nil, err
	}
	for _, name := range names {
		switch {
		case historyName.MatchString(name):
			if err := fetchWAL(ctx, archive, name, filepath.Join(data, "pg_wal", name)); err != nil {
				return nil, err
			}
		case segmentName.MatchString(name):
			segments = append(segments, parseSegment(name, perID))
		}
	}
	return segments, nil
}

// copy copies a segment. It copies an incomplete one only if it has more bytes than the existing copy.
func (s segment) copy(ctx context.Context, archive WALArchive, data string) error {
	to := filepath.Join(data, "pg_wal", s.name)
	if !s.partial {
		return fetchWAL(ctx, archive, s.name, to)
	}
	fetched := to + partial
	if err := fetchWAL(ctx, archive, s.name+partial, fetched); err != nil {
		return err
	}
	further, err := reachesFurther(fetched, to)
	if err != nil || !further {
		return errors.Join(err, os.Remove(fetched))
	}
	return os.Rename(fetched, to)
}

// reachesFurther reports whether one copy of a segment has more of it than another one, which need not be there. A
// backup has the segment that it ends with whole, and perhaps the first records of the next one, which grows in the
// archive.
func reachesFurther(one, other string) (bool, error) {
	theirs, err := written(other)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return false, err
	}
	ours, err := written(one)
	return ours > theirs, err
}

// written is how much of a segment is written, in bytes: the rest are zeros, since pg_basebackup and pg_receivewal
// begin with an empty file.
func written(path string) (int64, error) {
	file, err := os.Open(path)
	if err != nil {
		return 0, err
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return 0, err
	}
	block := make([]byte, 64<<10)
	for end := info.Size(); end > 0; {
		begin := max(0, end-int64(len(block)))
		some := block[:end-begin]
		if _, err := file.ReadAt(some, begin); err != nil {
			return 0, err
		}
		if n := len(bytes.TrimRight(some, "\x00")); n > 0 {
			return begin + int64(n), nil
		}
		end = begin
	}
	return 0, nil
}

// gap returns an error when a segment is missing behind those of the backup, of which last is the last.
func gap(segments []segment, last uint64) error {
	numbers := make([]uint64, 0, len(segments))
	for _, s := range segments {
		if s.number > last {
			numbers = append(numbers, s.number)
		}
	}
	slices.Sort(numbers)
	next := last + 1
	for _, n := range slices.Compact(numbers) {
		if n != next {
			return fmt.Errorf("%d segments are missing behind the backup, from number %d on: without them nothing that was "+
				"written later can be restored; restore without the archive, or move the later ones away", n-next, next)
		}
		next++
	}
	return nil
}

// parseSegment reads a name that segmentName matches.
func parseSegment(name string, perID uint64) segment {
	whole, isPartial := strings.CutSuffix(name, partial)
	part := func(from int) uint64 {
		n, _ := strconv.ParseUint(whole[from:from+8], 16, 64) // eight hexadecimal digits
		return n
	}
	return segment{name: whole, partial: isPartial, number: part(8)*perID + part(16)}
}

// segmentsPerID is how many segments have the same middle part of their name, which follows from their
// size.
func segmentsPerID(data string) (uint64, error) {
	entries, err := os.ReadDir(filepath.Join(data, "pg_wal"))
	if err != nil {
		return 0, err
	}
	for _, e := range entries {
		if !segmentName.MatchString(e.Name()) {
			continue
		}
		info, err := e.Info()
		if err != nil {
			return 0, err
		}
		if info.Size() > 0 {
			return (1 << 32) / uint64(info.Size()), nil
		}
	}
	return 0, errors.New("the backup has no WAL")
}

// segments are the numbers of the first and the last segment that the backup needs.
func (m *Manifest) segments(perID uint64) (first, last uint64, err error) {
	size := (1 << 32) / perID
	start, err := position(m.StartLSN)
	if err != nil {
		return 0, 0, err
	}
	end, err := position(m.EndLSN)
	if err != nil || end == 0 {
		return 0, 0, err
	}
	return start / size, (end - 1) / size, nil
}

// position is a place in the WAL, such as 0/2000028, in bytes.
func position(lsn string) (uint64, error) {
	high, low, ok := strings.Cut(lsn, "/")
	h, err1 := strconv.ParseUint(high, 16, 32)
	l, err2 := strconv.ParseUint(low, 16, 32)
	if !ok || err1 != nil || err2 != nil {
		return 0, fmt.Errorf("%q is no position in the WAL", lsn)
	}
	return h<<32 | l, nil
}
