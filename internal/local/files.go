package local

import (
	"bytes"
	"os"
	"path/filepath"
)

// WriteFileAtomic replaces the file at path: a reader sees the old content or
// the new, never a part, also after a crash of the machine.
func WriteFileAtomic(path string, content []byte, mode os.FileMode) error {
	f, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+"-*")
	if err != nil {
		return err
	}
	defer os.Remove(f.Name())
	defer f.Close()
	if _, err := f.Write(content); err != nil {
		return err
	}
	if err := f.Chmod(mode); err != nil {
		return err
	}
	if err := f.Sync(); err != nil {
		return err
	}
	return os.Rename(f.Name(), path)
}

// MakeFolder creates dir for ourselves only. Root's folders can also be passed
// through, not listed, because PostgreSQL's user has its cluster inside. An existing folder does not change.
func MakeFolder(dir string) error {
	if _, err := os.Stat(dir); err == nil {
		return nil
	}
	if os.Geteuid() != 0 {
		return os.MkdirAll(dir, 0o700)
	}
	if err := os.MkdirAll(dir, 0o711); err != nil {
		return err
	}
	return os.Chmod(dir, 0o711) // independent of the umask
}

// RealPath is the absolute path without symbolic links, as the kernel names it.
func RealPath(path string) (string, error) {
	path, err := filepath.Abs(path)
	if err != nil {
		return "", err
	}
	return filepath.EvalSymlinks(path)
}

// Tail returns the last n lines of a file, or nothing when it cannot be read.
func Tail(path string, n int) []byte {
	content, err := os.ReadFile(path)
	if err != nil {
		return nil
	}
	return LastLines(content, n)
}

// LastLines returns the last n lines of content.
func LastLines(content []byte, n int) []byte {
	lines := bytes.Split(bytes.TrimRight(content, "\n"), []byte("\n"))
	return bytes.Join(lines[max(0, len(lines)-n):], []byte("\n"))
}

// CacheDir is the folder for built and downloaded programs, which all checkouts on this machine share: LEVY_CACHE, else
// "levy" in the user's cache folder.
func CacheDir() (string, error) {
	if dir := os.Getenv("LEVY_CACHE"); dir != "" {
		return filepath.Abs(dir)
	}
	dir, err := os.UserCacheDir()
	if err != nil {
		return "", err
	}
	return filepath.Join(dir, "levy"), nil
}

// BinDir is where programs are kept for this checkout: "bin" in LEVY_HOME, or in
// CacheDir when that is not set.
func BinDir() (string, error) {
	if home := os.Getenv("LEVY_HOME"); home != "" {
		return filepath.Abs(filepath.Join(home, "bin"))
	}
	cache, err := CacheDir()
	if err != nil {
		return "", err
	}
	return filepath.Join(cache, "bin"), nil
}
