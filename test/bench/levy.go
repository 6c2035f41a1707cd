package main

import (
	"context"
	"crypto/rand"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"levy/internal/local"
)

// levy is the service under test: the processes of a deployment, as separate
// children, so that each can be started, stopped and measured.
type levy struct {
	program string
	logs    string
	env     []string

	baseURL                string
	organizationID, apiKey string
	masterKeys             string
	privates               map[string]string // command -> address of its private listener
	api, worker            *local.Process
	echo                   *local.Process // the reference of estimates, while it runs
}

// configure chooses addresses and keys, migrates, and creates the organization.
func (l *levy) configure(b *bench) error {
	key := make([]byte, 32)
	rand.Read(key) // never fails
	l.program, l.logs = b.Levy, b.dir
	l.masterKeys = "bench:" + base64.StdEncoding.EncodeToString(key)
	addresses := make([]string, 3)
	for i := range addresses {
		port, err := local.FreePort()
		if err != nil {
			return err
		}
		addresses[i] = net.JoinHostPort("127.0.0.1", strconv.Itoa(port))
	}
	l.baseURL = "http://" + addresses[0]
	l.privates = map[string]string{"api": addresses[1], "worker": addresses[2]}
	l.env = append(slices.DeleteFunc(os.Environ(),
		func(e string) bool { return strings.HasPrefix(e, "LEVY_") || strings.HasPrefix(e, "OTEL_") }),
		"LEVY_HTTP_ADDR="+addresses[0],
		// All load is that of one organization.
		"LEVY_RATE_LIMIT=100000000", "LEVY_RATE_BURST=1000000", "LEVY_RATE_CONCURRENT=100000",
		"LEVY_WEBHOOK_HOSTS=127.0.0.1",
		"LEVY_DATABASE_URL="+b.postgres.URL(""),
		"LEVY_TEMPORAL_ADDRESS="+b.temporal.Address,
		"LEVY_MASTER_KEYS="+l.masterKeys,
	)
	if _, err := l.runOnce("migrate"); err != nil {
		return err
	}
	answer, err := l.runOnce("bootstrap", "--test")
	if err != nil {
		return err
	}
	var made struct {
		OrganizationID string `json:"organization_id"`
		APIKey         string `json:"api_key"`
	}
	if err := json.Unmarshal(answer, &made); err != nil {
		return fmt.Errorf("levy bootstrap: %w", err)
	}
	l.organizationID, l.apiKey = made.OrganizationID, made.APIKey
	return nil
}

func (l *levy) runOnce(command ...string) ([]byte, error) {
	cmd := exec.Command(l.program, command...)
	cmd.Env = l.env
	answer, err := cmd.Output()
	if failed := (*exec.ExitError)(nil); errors.As(err, &failed) {
		return nil, fmt.Errorf("levy %s: %w: %s", strings.Join(command, " "), err, failed.Stderr)
	}
	return answer, err
}

// startAPI returns when the API says it is ready; so does startWorker.
func (l *levy) startAPI(ctx context.Context) (err error) {
	if l.api, err = l.launch("api"); err != nil {
		return err
	}
	return l.waitReady(ctx, "api", l.api)
}

func (l *levy) startWorker(ctx context.Context) (err error) {
	if l.worker, err = l.launch("worker"); err != nil {
		return err
	}
	return l.waitReady(ctx, "worker", l.worker)
}

func (l *levy) launch(command string) (*local.Process, error) {
	log, err := os.OpenFile(filepath.Join(l.logs, command+".log"), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return nil, err
	}
	defer log.Close()
	cmd := exec.Command(l.program, command)
	cmd.Env = append(slices.Clip(l.env), "LEVY_PRIVATE_ADDR="+l.privates[command], "LEVY_PROFILES=true")
	cmd.Stdout, cmd.Stderr = log, log
	return local.StartProcess(cmd, syscall.SIGKILL)
}

func (l *levy) waitReady(ctx context.Context, command string, process *local.Process) error {
	return until(ctx, "levy "+command+" ready", 5*time.Millisecond, time.Minute, func(ctx context.Context) (bool, error) {
		select {
		case <-process.Done():
			log, _ := os.ReadFile(filepath.Join(l.logs, command+".log"))
			return false, fmt.Errorf("levy %s ended: %s\n%s", command, process.Outcome(), log[max(0, len(log)-2000):])
		default:
		}
		return ready(ctx, l.privates[command]), nil
	})
}

// ready reports whether a process answers with everything it depends on in place.
func ready(ctx context.Context, address string) bool {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+address+"/readyz", nil)
	if err != nil {
		return false
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return false
	}
	defer response.Body.Close()
	var answer struct {
		Checks map[string]string `json:"checks"`
	}
	if json.NewDecoder(response.Body).Decode(&answer) != nil || response.StatusCode != http.StatusOK {
		return false
	}
	for _, check := range answer.Checks {
		if check != "ok" {
			return false
		}
	}
	return len(answer.Checks) > 0
}

// stopGrace is longer than the service's own.
const stopGrace = 30 * time.Second

func (l *levy) stopWorker(ctx context.Context) error { return end(ctx, &l.worker) }

func (l *levy) stop(ctx context.Context) error {
	return errors.Join(end(ctx, &l.api), end(ctx, &l.worker))
}

func end(ctx context.Context, process **local.Process) error {
	if *process == nil {
		return nil
	}
	defer func() { *process = nil }()
	return (*process).Stop(ctx, syscall.SIGTERM, stopGrace)
}

// ensure brings API and worker into the wanted state.
func (l *levy) ensure(ctx context.Context, withWorker bool) error {
	if l.api == nil {
		if err := l.startAPI(ctx); err != nil {
			return err
		}
	}
	switch {
	case withWorker && l.worker == nil:
		return l.startWorker(ctx)
	case !withWorker:
		return l.stopWorker(ctx)
	}
	return nil
}
