package backup

import (
	"bufio"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"hash"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"levy/internal/secret"
)

// keysFile is the file with the wrapped keys. It has a line of JSON with its head, one for each key and each erased
// person, and one with their numbers and a checksum. It contains no plain key. A folder contains only the newest such
// file.
const keysFile = "levy-keys.jsonl"

// KeysFile is the file with the wrapped keys in a folder.
func KeysFile(folder string) string { return filepath.Join(folder, keysFile) }

// keysHead says what the file is.
type keysHead struct {
	ID      string    `json:"levy_keys"`
	MadeBy  string    `json:"made_by"` // the version of Levy
	BeganAt time.Time `json:"began_at"`
}

// keysLine is a key, an erased person, or the end of the file.
type keysLine struct {
	Kind           secret.KeyKind `json:"kind,omitempty"`
	OrganizationID string         `json:"organization_id,omitempty"`
	RecordID       string         `json:"record_id,omitempty"`
	WrappedBy      string         `json:"wrapped_by,omitempty"`
	Wrapped        []byte         `json:"wrapped,omitempty"`
	MadeAt         *time.Time     `json:"made_at,omitempty"`

	Erased string `json:"erased,omitempty"`

	End *keysEnd `json:"end,omitempty"`
}

type keysEnd struct {
	Keys   int64  `json:"keys"`
	Erased int64  `json:"erased"`
	SHA256 string `json:"sha256"`
}

// KeysWriter writes a file beside the one that is there, until Commit.
type KeysWriter struct {
	folder string
	file   *os.File
	out    *bufio.Writer
	sum    hash.Hash
	end    keysEnd
}

// WriteKeys begins a file in a folder, which it creates. It removes unfinished files of earlier runs, because only one
// run writes at a time.
func WriteKeys(folder, id, madeBy string) (*KeysWriter, error) {
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return nil, err
	}
	halves, err := filepath.Glob(filepath.Join(folder, "."+keysFile+"-*"))
	if err != nil {
		return nil, err
	}
	for _, half := range halves {
		if err := os.Remove(half); err != nil {
			return nil, err
		}
	}
	file, err := os.CreateTemp(folder, "."+keysFile+"-*")
	if err != nil {
		return nil, err
	}
	w := &KeysWriter{folder: folder, file: file, sum: sha256.New()}
	w.out = bufio.NewWriter(io.MultiWriter(file, w.sum))
	if err := w.line(keysHead{ID: id, MadeBy: madeBy, BeganAt: time.Now().UTC()}); err != nil {
		w.Discard()
		return nil, err
	}
	return w, nil
}

func (w *KeysWriter) line(line any) error {
	raw, err := json.Marshal(line)
	if err != nil {
		return err
	}
	_, err = w.out.Write(append(raw, '\n'))
	return err
}

// Key adds a key.
func (w *KeysWriter) Key(k secret.StoredKey) error {
	w.end.Keys++
	at := k.MadeAt.UTC()
	return w.line(keysLine{
		Kind: k.Kind, OrganizationID: k.OrganizationID, RecordID: k.RecordID,
		WrappedBy: k.MasterKeyID, Wrapped: k.Wrapped, MadeAt: &at,
	})
}

// Erased adds an erased person, customer or organization.
func (w *KeysWriter) Erased(id string) error {
	w.end.Erased++
	return w.line(keysLine{Erased: id})
}

// Commit puts the file into the place of the last one, once it is on the disk.
func (w *KeysWriter) Commit() error {
	if err := w.out.Flush(); err != nil {
		return err
	}
	w.end.SHA256 = hex.EncodeToString(w.sum.Sum(nil))
	err := errors.Join(w.line(keysLine{End: &w.end}), w.out.Flush(), w.file.Sync())
	if err != nil {
		return err
	}
	if err := os.Rename(w.file.Name(), KeysFile(w.folder)); err != nil {
		return err
	}
	return syncFolder(w.folder)
}

// Discard closes the file, and removes it unless it was committed.
func (w *KeysWriter) Discard() {
	_ = w.file.Close()
	_ = os.Remove(w.file.Name())
}

// Keys is a file with wrapped keys that is whole.
type Keys struct {
	file *os.File
	head keysHead
	end  keysEnd
}

// ReadKeys opens a file, or that of a folder, and compares it with its checksum. Errors: fs.ErrNotExist.
func ReadKeys(path string) (_ *Keys, err error) {
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		path = KeysFile(path)
	}
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	k := &Keys{file: file}
	if err := k.verify(); err != nil {
		return nil, errors.Join(fmt.Errorf("%s is not a whole file of wrapped keys: %w", path, err), file.Close())
	}
	return k, nil
}

func (k *Keys) verify() error {
	sum, counted := sha256.New(), keysEnd{}
	add := func(line []byte) { sum.Write(line); sum.Write([]byte{'\n'}) }
	first := true
	err := k.lines(func(raw []byte) error {
		if first {
			first = false
			add(raw)
			if err := json.Unmarshal(raw, &k.head); err != nil || k.head.ID == "" {
				return errors.New("it does not begin as one")
			}
			return nil
		}
		var line keysLine
		if err := json.Unmarshal(raw, &line); err != nil {
			return err
		}
		switch {
		case k.end.SHA256 != "":
			return errors.New("it goes on behind its end")
		case line.End != nil:
			k.end = *line.End
			return nil
		case line.Erased != "":
			counted.Erased++
		default:
			counted.Keys++
		}
		add(raw)
		return nil
	})
	if err != nil {
		return err
	}
	if counted.SHA256 = hex.EncodeToString(sum.Sum(nil)); counted != k.end {
		return errors.New("its end is missing, or it was changed")
	}
	return nil
}

// lines reads the file from its beginning.
func (k *Keys) lines(see func(raw []byte) error) error {
	if _, err := k.file.Seek(0, io.SeekStart); err != nil {
		return err
	}
	lines := bufio.NewScanner(k.file)
	for lines.Scan() {
		if err := see(lines.Bytes()); err != nil {
			return err
		}
	}
	return lines.Err()
}

// ID is the id of the file.
func (k *Keys) ID() string { return k.head.ID }

// BeganAt is when the file was begun. Each key that was made before is in it, unless it was destroyed.
func (k *Keys) BeganAt() time.Time { return k.head.BeganAt }

// EachKey has see each of its keys. Errors of see come back as they are.
func (k *Keys) EachKey(see func(secret.StoredKey) error) error {
	return k.each(func(line keysLine) error {
		if line.Kind == "" || line.MadeAt == nil {
			return nil
		}
		return see(secret.StoredKey{Kind: line.Kind, MadeAt: *line.MadeAt, RecordKey: secret.RecordKey{
			OrganizationID: line.OrganizationID, RecordID: line.RecordID,
			WrappedKey: secret.WrappedKey{MasterKeyID: line.WrappedBy, Wrapped: line.Wrapped},
		}})
	})
}

// EachErased calls see with the id of each that was erased.
func (k *Keys) EachErased(see func(id string) error) error {
	return k.each(func(line keysLine) error {
		if line.Erased == "" {
			return nil
		}
		return see(line.Erased)
	})
}

func (k *Keys) each(see func(keysLine) error) error {
	return k.lines(func(raw []byte) error {
		var line keysLine
		if err := json.Unmarshal(raw, &line); err != nil {
			return err
		}
		return see(line)
	})
}

// Close closes the file.
func (k *Keys) Close() error { return k.file.Close() }

// Apart refuses a folder for the wrapped keys inside the folder of the backups, and the opposite. A copy of the one
// must not contain the other.
func Apart(keys, backups string) error {
	real := func(path string) (string, error) {
		path, err := filepath.Abs(path)
		if err != nil {
			return "", err
		}
		for known, rest := path, ""; ; known, rest = filepath.Dir(known), filepath.Join(filepath.Base(known), rest) {
			found, err := filepath.EvalSymlinks(known)
			if err == nil {
				return filepath.Join(found, rest), nil
			}
			if !errors.Is(err, fs.ErrNotExist) || known == filepath.Dir(known) {
				return "", err
			}
		}
	}
	k, err := real(keys)
	if err != nil {
		return err
	}
	b, err := real(backups)
	if err != nil {
		return err
	}
	within := func(inner, outer string) bool {
		rel, err := filepath.Rel(outer, inner)
		return err == nil && rel != ".." && !strings.HasPrefix(rel, ".."+string(filepath.Separator))
	}
	if within(k, b) || within(b, k) {
		return fmt.Errorf("the wrapped keys in %s would lie with the backups in %s, which have what they open: "+
			"keep them in a folder apart", keys, backups)
	}
	return nil
}
