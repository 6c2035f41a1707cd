package postgres

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/user"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"syscall"

	"levy/internal/local"
)

// cluster is what the state folder remembers about a PostgreSQL cluster.
type cluster struct {
	Dir      string `json:"dir"`
	Port     int    `json:"port"`
	Password string `json:"password"`

	dir      string // Dir, absolute
	record   string
	user     *syscall.Credential // nil: ourselves
	binaries binaries
}

func (cl *cluster) data() string                { return filepath.Join(cl.dir, "data") }
func (cl *cluster) relocated(state string) bool { return filepath.Dir(cl.dir) != state }

// openCluster finds the cluster of the state folder c.Dir or creates one.
func openCluster(ctx context.Context, c Config) (*cluster, error) {
	cl := &cluster{record: filepath.Join(c.Dir, "cluster.json")}
	recorded, err := os.ReadFile(cl.record)
	switch {
	case errors.Is(err, fs.ErrNotExist):
	case err != nil:
		return nil, err
	default:
		if err := json.Unmarshal(recorded, cl); err != nil {
			return nil, fmt.Errorf("%s: %w", cl.record, err)
		}
		cl.dir = cl.Dir
		if !filepath.IsAbs(cl.dir) { // relative, so that a state folder can be moved
			cl.dir = filepath.Join(c.Dir, cl.dir)
		}
	}
	made := ""
	if cl.dir != "" {
		version, err := os.ReadFile(filepath.Join(cl.data(), "PG_VERSION"))
		if err != nil {
			return nil, fmt.Errorf(
				"the PostgreSQL cluster recorded in %s is gone: restore it, or delete %s to begin anew: %w",
				cl.record, c.Dir, err,
			)
		}
		made = strings.TrimSpace(string(version))
	}
	if cl.user, err = unprivileged(cl.dir); err != nil {
		return nil, err
	}
	if cl.binaries, err = obtainBinaries(ctx, c, cl.user, made); err != nil {
		return nil, err
	}
	if cl.dir != "" {
		return cl, nil
	}
	return cl, cl.create(c)
}

// unprivileged chooses the user that runs PostgreSQL, which refuses to run as root. It is nil if this process is not
// root. Otherwise it is the owner of the existing cluster, else the user postgres, else the user nobody.
func unprivileged(existing string) (*syscall.Credential, error) {
	if os.Geteuid() != 0 {
		return nil, nil
	}
	if existing != "" {
		if info, err := os.Stat(existing); err == nil {
			if owner, ok := info.Sys().(*syscall.Stat_t); ok && owner.Uid != 0 {
				return &syscall.Credential{Uid: owner.Uid, Gid: owner.Gid, Groups: []uint32{}}, nil
			}
		}
	}
	for _, name := range []string{"postgres", "nobody"} {
		u, err := user.Lookup(name)
		if err != nil {
			continue
		}
		uid, err1 := strconv.ParseUint(u.Uid, 10, 32)
		gid, err2 := strconv.ParseUint(u.Gid, 10, 32)
		if err1 == nil && err2 == nil && uid != 0 {
			return &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid), Groups: []uint32{}}, nil
		}
	}
	return nil, errors.New("PostgreSQL does not run as root, and there is neither a user postgres nor a user nobody: " +
		"run as an ordinary user")
}

// create makes the cluster in the first folder that the server's user can
// enter, and records it.
func (cl *cluster) create(c Config) error {
	if err := cl.place(c); err != nil {
		return err
	}
	cl.Password = rand.Text()
	if err := cl.initdb(c); err != nil {
		_ = os.RemoveAll(cl.dir)
		return err
	}
	return cl.save()
}

func (cl *cluster) place(c Config) error {
	// Without a record a cluster inside the state folder was never finished.
	inside := filepath.Join(c.Dir, "cluster")
	if err := os.RemoveAll(inside); err != nil {
		return err
	}
	err := cl.tryPlace(inside)
	if err == nil {
		cl.Dir = "cluster"
		return nil
	}
	name := fmt.Sprintf("levy-%x", sha256.Sum256([]byte(c.Dir)))[:17]
	for _, base := range []string{"/var/lib", "/var/tmp"} {
		for n := 1; n <= 9; n++ {
			dir := filepath.Join(base, name)
			if n > 1 {
				dir += "-" + strconv.Itoa(n)
			}
			if _, e := os.Lstat(dir); e == nil {
				fmt.Fprintf(
					c.Out,
					"%s holds an earlier PostgreSQL cluster whose state folder was deleted; it is left as it is.\n",
					dir,
				)
				continue
			}
			if e := cl.tryPlace(dir); e != nil {
				err = errors.Join(err, e)
				break
			}
			cl.Dir = dir
			return nil
		}
	}
	return fmt.Errorf("no folder found that PostgreSQL's user can enter: %w", err)
}

// tryPlace makes dir for the server's user and proves that this user can work in
// it by running the server's program there. Nothing remains when it cannot.
func (cl *cluster) tryPlace(dir string) error {
	if err := os.Mkdir(dir, 0o700); err != nil {
		return err
	}
	cl.dir = dir
	err := error(nil)
	if cl.user != nil {
		err = os.Chown(dir, int(cl.user.Uid), int(cl.user.Gid))
	}
	if err == nil {
		err = cl.command("postgres", "--version").Run()
	}
	if err != nil {
		_ = os.Remove(dir)
	}
	return err
}

// initdb builds the cluster under another name first: initdb killed half-way
// leaves something that seems finished.
func (cl *cluster) initdb(c Config) error {
	password := filepath.Join(cl.dir, "password")
	if err := os.WriteFile(password, []byte(cl.Password+"\n"), 0o600); err != nil {
		return err
	}
	defer os.Remove(password)
	if cl.user != nil {
		if err := os.Chown(password, int(cl.user.Uid), int(cl.user.Gid)); err != nil {
			return err
		}
	}
	locale := "C.UTF-8"
	if runtime.GOOS == "darwin" {
		locale = "C"
	}
	half := cl.data() + ".new"
	args := []string{
		"-D", half, "-U", postgresUser, "-A", "scram-sha-256", "--pwfile=" + password, "-E", "UTF8",
		"--locale=" + locale, "--data-checksums", "--no-instructions",
	}
	if c.Fast {
		args = append(args, "--no-sync")
	}
	if out, err := cl.command("initdb", args...).CombinedOutput(); err != nil {
		return fmt.Errorf("initdb: %w\n%s", err, out)
	}
	return os.Rename(half, cl.data())
}

// choosePort keeps the recorded port while it is free.
func (cl *cluster) choosePort() error {
	if cl.Port != 0 && local.PortFree(cl.Port) {
		return nil
	}
	port, err := local.FreePort()
	if err != nil {
		return err
	}
	cl.Port = port
	return cl.save()
}

func (cl *cluster) save() error {
	b, err := json.MarshalIndent(cl, "", "  ")
	if err != nil {
		return err
	}
	return local.WriteFileAtomic(cl.record, append(b, '\n'), 0o600)
}
