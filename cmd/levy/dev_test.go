package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/alecthomas/kong"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/stretchr/testify/require"

	"levy/internal/local"
	"levy/internal/local/localtest"
	"levy/internal/local/postgres"
	"levy/internal/local/temporal"
)

const waitLimit = 3 * time.Minute

func TestDevPrintsTheAddressesOfTheService(t *testing.T) {
	t.Parallel()
	d := startDev(t, devHome(t), actPlain)
	info := d.info(t)

	content, err := os.ReadFile(filepath.Join(d.home, devFile))
	require.NoError(t, err)
	var keys map[string]any
	require.NoError(t, json.Unmarshal(content, &keys))
	require.ElementsMatch(t, []string{
		"base_url", "organization_id", "api_key", "operator_key", "temporal_address", "temporal_namespace",
		"temporal_ui_url", "database_url", "master_keys_file", "pids",
	}, keysOf(keys))
	require.ElementsMatch(t, []string{"levy", "postgres", "temporal"}, keysOf(keys["pids"].(map[string]any)))
	for _, file := range []string{devFile, keysFile} {
		stat, err := os.Stat(filepath.Join(d.home, file))
		require.NoError(t, err)
		require.Equal(t, os.FileMode(0o600), stat.Mode().Perm(), file)
	}
	require.Equal(t, d.cmd.Process.Pid, info.PIDs.Levy)
	require.NotEmpty(t, get(t, info.BaseURL+"/pid"))
	require.Contains(t, get(t, info.TemporalUIURL), "<html")
	requireDatabase(t, info.DatabaseURL)
	requireServiceLogin(t, info.DatabaseURL)
	for _, shown := range []string{info.BaseURL, info.TemporalUIURL, info.OrganizationID, info.APIKey, "curl"} {
		require.Contains(t, d.output(), shown)
	}
	require.NotContains(t, d.output(), info.DatabaseURL, "the password belongs into dev.json only")
	requireNoCredentialInPublic(t, info)
}

// requireNoCredentialInPublic searches for the secrets of the API in places that every user of the machine can read.
// These are the arguments of all processes of levy dev, and the settings of the Temporal UI.
func requireNoCredentialInPublic(t *testing.T, info devInfo) {
	t.Helper()
	environment, err := os.ReadFile("/proc/" + get(t, info.BaseURL+"/pid") + "/environ")
	require.NoError(t, err)
	secrets := []string{info.APIKey, info.OperatorKey}
	for _, variable := range strings.Split(string(environment), "\x00") {
		name, value, _ := strings.Cut(variable, "=")
		switch name {
		case "LEVY_DATABASE_URL":
			at, err := url.Parse(value)
			require.NoError(t, err)
			password, _ := at.User.Password()
			secrets = append(secrets, password)
		case "LEVY_MASTER_KEYS":
			_, key, _ := strings.Cut(value, ":")
			secrets = append(secrets, key)
		case "LEVY_CODEC_TOKEN":
			secrets = append(secrets, value)
		}
	}
	require.Len(t, secrets, 5)
	settings := get(t, info.TemporalUIURL+"/api/v1/settings")
	require.Contains(t, settings, `"codec":{"endpoint":"`+info.TemporalUIURL+`/codec","includecredentials":true}`)
	public := settings + strings.ToLower(strings.Join(argumentsUnder(t, info.PIDs.Levy), "\n"))
	for _, program := range []string{"postgres", "start-dev", "api", "worker"} {
		require.Contains(t, public, program)
	}
	for _, secret := range secrets {
		require.NotEmpty(t, secret)
		require.NotContains(t, public, strings.ToLower(secret))
	}
}

// argumentsUnder are the arguments of a process and of all that it started and that still run.
func argumentsUnder(t *testing.T, pid int) (arguments []string) {
	t.Helper()
	line, _ := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", pid))
	arguments = append(arguments, strings.ReplaceAll(string(line), "\x00", " "))
	all, err := filepath.Glob("/proc/[0-9]*/status")
	require.NoError(t, err)
	for _, file := range all {
		status, _ := os.ReadFile(file)
		if !strings.Contains(string(status), fmt.Sprintf("\nPPid:\t%d\n", pid)) {
			continue
		}
		child, err := strconv.Atoi(filepath.Base(filepath.Dir(file)))
		require.NoError(t, err)
		arguments = append(arguments, argumentsUnder(t, child)...)
	}
	return arguments
}

// A Temporal server may have to be built first, for minutes. The API answers before it, the text and dev.json say what
// is still to come, and the rest follows when the server is there.
func TestTheAPIOfDevAnswersBeforeTemporal(t *testing.T) {
	t.Parallel()
	home := devHome(t)
	program := filepath.Join(home, "bin", "temporal")
	server, err := os.Readlink(program)
	require.NoError(t, err)
	require.NoError(t, os.Remove(program))
	arrived := filepath.Join(home, "arrived")
	script := fmt.Sprintf("#!/bin/sh\nif [ \"$1\" = server ]; then while [ ! -e '%s' ]; do sleep 0.05; done; fi\nexec '%s' \"$@\"\n",
		arrived, server)
	localtest.WriteProgram(t, program, strings.NewReader(script))

	d := launchDev(t, home, actPlain, nil)
	d.waitFor(t, "Still to come: Temporal, Worker.")
	info := d.info(t)
	require.Equal(t, []string{"Temporal", "Worker"}, info.Starting)
	require.NotEmpty(t, get(t, info.BaseURL+"/pid"))
	require.Nil(t, info.PIDs.Temporal)
	require.NotContains(t, d.output(), "Levy is running")
	require.NotContains(t, d.output(), "What waited is due.")

	require.NoError(t, os.WriteFile(arrived, nil, 0o600))
	d.waitFor(t, "Levy is running")
	after := d.info(t)
	require.Empty(t, after.Starting)
	require.NotNil(t, after.PIDs.Temporal)
	require.Equal(t, info.TemporalAddress, after.TemporalAddress)
	require.Contains(t, d.output(), "What waited is due.")
	require.Contains(t, d.output(), "shows payloads in clear text to everyone who reaches its port")
}

func TestDevKeepsKeysAndAddressesOverRestarts(t *testing.T) {
	t.Parallel()
	home := devHome(t)
	first := startDev(t, home, actPlain)
	before := first.info(t)
	require.NoError(t, first.end(t, syscall.SIGTERM))
	require.NoFileExists(t, filepath.Join(home, devFile))
	for _, pid := range []int{*before.PIDs.Postgres, *before.PIDs.Temporal} {
		requireGone(t, pid)
	}
	second := startDev(t, home, actPlain)
	after := second.info(t)
	require.Equal(t, before.credentials, after.credentials)
	require.Equal(t, before.DatabaseURL, after.DatabaseURL)
	require.NotContains(t, second.output(), before.APIKey, "a key is shown once")
}

func TestDevRestartsWhatDies(t *testing.T) {
	t.Parallel()
	d := startDev(t, devHome(t), actPlain)
	info := d.info(t)
	api, err := strconv.Atoi(get(t, info.BaseURL+"/pid"))
	require.NoError(t, err)
	for _, pid := range []int{api, *info.PIDs.Postgres, *info.PIDs.Temporal} {
		require.NoError(t, syscall.Kill(pid, syscall.SIGKILL))
	}
	require.Eventually(t, func() bool {
		now, err := readInfo(d.home)
		return err == nil && *now.PIDs.Postgres != *info.PIDs.Postgres && *now.PIDs.Temporal != *info.PIDs.Temporal
	}, waitLimit, 50*time.Millisecond)
	now := d.info(t)
	require.Equal(t, info.DatabaseURL, now.DatabaseURL)
	require.Equal(t, info.TemporalAddress, now.TemporalAddress)
	requireDatabase(t, now.DatabaseURL)
	require.Eventually(
		t, func() bool { return !local.PortFree(portOf(t, info.BaseURL)) }, waitLimit, 50*time.Millisecond,
	)
	require.NotEqual(t, strconv.Itoa(api), get(t, info.BaseURL+"/pid"))
	require.NoError(t, d.end(t, syscall.SIGINT))
}

func TestKilledDevLeavesNothingAndStartsAgain(t *testing.T) {
	t.Parallel()
	home := devHome(t)
	d := startDev(t, home, actPlain)
	info := d.info(t)
	api, err := strconv.Atoi(get(t, info.BaseURL+"/pid"))
	require.NoError(t, err)
	require.Error(t, d.end(t, syscall.SIGKILL))

	again := startDev(t, home, actPlain)
	for _, pid := range []int{api, *info.PIDs.Postgres, *info.PIDs.Temporal} {
		requireGone(t, pid)
	}
	require.Equal(t, info.credentials, again.info(t).credentials)
}

func TestDevStopsWhenAProcessCannotStart(t *testing.T) {
	t.Parallel()
	d := launchDev(t, devHome(t), actBroken, nil)
	require.Error(t, d.wait(t))
	require.Contains(t, d.output(), "levy worker ended")
	require.Contains(t, d.output(), "nothing works here")
	require.NoFileExists(t, filepath.Join(d.home, devFile))
}

func TestSecondSignalStopsAtOnce(t *testing.T) {
	t.Parallel()
	d := startDev(t, devHome(t), actStubborn)
	info := d.info(t)
	require.NoError(t, d.cmd.Process.Signal(syscall.SIGTERM))
	require.Eventually(
		t, func() bool { return strings.Contains(d.output(), "again to stop at once") }, waitLimit,
		10*time.Millisecond,
	)
	begin := time.Now()
	require.Error(t, d.end(t, syscall.SIGTERM))
	require.Less(t, time.Since(begin), childGrace/2, "the process that does not stop is not waited for")
	for _, pid := range []int{*info.PIDs.Postgres, *info.PIDs.Temporal} {
		requireGone(t, pid)
	}
}

func TestSecondDevOnOneHomeIsRefused(t *testing.T) {
	t.Parallel()
	home := devHome(t)
	startDev(t, home, actPlain)
	second := launchDev(t, home, actPlain, nil)
	require.Error(t, second.wait(t))
	require.Contains(t, second.output(), "another levy dev runs")
	require.FileExists(t, filepath.Join(home, devFile))
}

func TestTakenPortsAreNamed(t *testing.T) {
	t.Parallel()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	defer l.Close()
	_, port, _ := net.SplitHostPort(l.Addr().String())
	for variable, value := range map[string]string{"LEVY_HTTP_ADDR": l.Addr().String(), "LEVY_TEMPORAL_PORT": port} {
		d := launchDev(t, devHome(t), actPlain, []string{variable + "=" + value})
		require.Error(t, d.wait(t))
		require.Contains(t, d.output(), l.Addr().String()+" is in use by another program: set "+variable)
	}
}

// levy dev calls its own servers without TLS, so it would never reach an API with TLS.
func TestDevRefusesTLS(t *testing.T) {
	t.Parallel()
	env := []string{"LEVY_TLS_CERT=cert.pem", "LEVY_TLS_KEY=key.pem", "LEVY_HOME=" + t.TempDir()}
	require.EqualError(t, run(t.Context(), []string{"dev"}, env, io.Discard, io.Discard),
		"levy dev asks its API without TLS: leave out LEVY_TLS_CERT and LEVY_TLS_KEY")
}

// process is a `levy dev` of its own.
type process struct {
	cmd   *exec.Cmd
	home  string
	out   string
	ended chan error
}

// devHome is an empty state folder that PostgreSQL's user can enter.
func devHome(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	require.NoError(t, os.Chmod(filepath.Dir(dir), 0o755))
	home := filepath.Join(dir, "home")
	require.NoError(t, os.MkdirAll(filepath.Join(home, "bin"), 0o711))
	bin, err := local.BinDir()
	require.NoError(t, err)
	binary, err := temporal.Ensure(t.Context(), bin, os.Stderr)
	require.NoError(t, err)
	require.NoError(t, os.Symlink(binary, filepath.Join(home, "bin", "temporal")))
	return home
}

func launchDev(t *testing.T, home, how string, env []string) *process {
	t.Helper()
	self, err := os.Executable()
	require.NoError(t, err)
	out, err := os.CreateTemp(t.TempDir(), "output")
	require.NoError(t, err)
	defer out.Close()
	p := &process{cmd: exec.Command(self, "dev"), home: home, out: out.Name(), ended: make(chan error, 1)}
	p.cmd.Env = append(append(os.Environ(), actAs+"="+how, "LEVY_HOME="+home, "LEVY_HTTP_ADDR=127.0.0.1:0"), env...)
	p.cmd.Stdout, p.cmd.Stderr = out, out
	require.NoError(t, p.cmd.Start())
	go func() { p.ended <- p.cmd.Wait() }()
	t.Cleanup(func() {
		_ = p.cmd.Process.Signal(syscall.SIGTERM)
		_ = p.wait(t)
	})
	return p
}

// startDev waits until all processes answer.
func startDev(t *testing.T, home, how string) *process {
	t.Helper()
	p := launchDev(t, home, how, nil)
	p.waitFor(t, "Levy is running")
	return p
}

// waitFor waits until the output has a text, or the process has ended.
func (p *process) waitFor(t *testing.T, text string) {
	t.Helper()
	require.Eventually(t, func() bool {
		select {
		case err := <-p.ended:
			p.ended <- err
			return true
		default:
		}
		return strings.Contains(p.output(), text)
	}, waitLimit, 20*time.Millisecond)
	require.Contains(t, p.output(), text)
}

func (p *process) output() string {
	content, _ := os.ReadFile(p.out)
	return string(content)
}

func (p *process) info(t *testing.T) devInfo {
	t.Helper()
	info, err := readInfo(p.home)
	require.NoError(t, err, p.output())
	return info
}

func readInfo(home string) (info devInfo, err error) {
	content, err := os.ReadFile(filepath.Join(home, devFile))
	if err != nil {
		return info, err
	}
	return info, json.Unmarshal(content, &info)
}

func (p *process) end(t *testing.T, sig syscall.Signal) error {
	t.Helper()
	require.NoError(t, p.cmd.Process.Signal(sig))
	return p.wait(t)
}

func (p *process) wait(t *testing.T) error {
	t.Helper()
	select {
	case err := <-p.ended:
		p.ended <- err
		return err
	case <-time.After(waitLimit):
		_ = p.cmd.Process.Kill()
		require.Fail(t, "levy dev did not end", p.output())
		return nil
	}
}

func get(t *testing.T, url string) string {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, url, nil)
	require.NoError(t, err)
	resp, err := http.DefaultClient.Do(req)
	require.NoError(t, err)
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	require.NoError(t, err)
	return string(bytes.ToLower(body))
}

func requireDatabase(t *testing.T, url string) {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), url)
	require.NoError(t, err)
	defer conn.Close(t.Context())
	var fsync string
	require.NoError(t, conn.QueryRow(t.Context(), "SHOW fsync").Scan(&fsync))
	require.Equal(t, "on", fsync)
}

// requireServiceLogin checks that the address has the login of the service, which creates nothing.
func requireServiceLogin(t *testing.T, url string) {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), url)
	require.NoError(t, err)
	defer conn.Close(t.Context())
	require.Equal(t, postgres.ServiceLogin, conn.Config().User)
	for _, statement := range []string{"CREATE TABLE mine (id int)", "CREATE ROLE mine", "SET ROLE " + postgres.OwnerLogin} {
		_, err := conn.Exec(t.Context(), statement)
		refused, ok := errors.AsType[*pgconn.PgError](err)
		require.True(t, ok, statement)
		require.Equal(t, "42501", refused.Code, statement)
	}
}

func requireGone(t *testing.T, pid int) {
	t.Helper()
	require.Eventually(t, func() bool {
		stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
		return err != nil || strings.Contains(string(stat), ") Z ")
	}, waitLimit, 20*time.Millisecond, "process %d still runs", pid)
}

func portOf(t *testing.T, url string) int {
	t.Helper()
	port, err := strconv.Atoi(url[strings.LastIndex(url, ":")+1:])
	require.NoError(t, err)
	return port
}

func keysOf(m map[string]any) []string {
	keys := []string{}
	for k := range m {
		keys = append(keys, k)
	}
	return keys
}

// Every setting that levy dev got, by flags too, is one of the processes that it starts, but for the key
// that signs content. A secret may have come from a file, which the environment goes on naming.
func TestTheProcessesOfDevGetItsSettings(t *testing.T) {
	t.Parallel()
	read := func(env []string, args ...string) Config {
		var c cli
		parser, err := kong.New(&c, kong.Name("levy"), kong.Resolvers(newEnvironment(env)))
		require.NoError(t, err)
		_, err = parser.Parse(args)
		require.NoError(t, err)
		return c.Config
	}
	file := filepath.Join(t.TempDir(), "keys")
	require.NoError(t, os.WriteFile(file, []byte("k1:AAAA\n"), 0o600))
	env := []string{"LEVY_MASTER_KEYS_FILE=" + file, "LEVY_WEBHOOK_HOSTS=a,b", "LEVY_CONTENT_SIGNING_KEY=signs"}
	own := read(env, "dev", "--rate-limit=7", "--rate-burst=8", "--rate-concurrent=9", "--import-limit=10",
		"--storage-quota=11", "--organizations-quota=12", "--onboarding-expiry=13h", "--sandbox-delay=14s",
		"--sandbox-faults=reject/20", "--authority=simulated", "--filing-lookback-unit=15m",
		"--drain-delay=16s", "--nexus-approaching=17", "--log-level=warn", "--trusted-proxies=10.0.0.0/8,::1")
	own.PrivateAddr = "127.0.0.1:9"
	require.Equal(t, Secret("signs"), own.ContentSigningKey)
	own.ContentSigningKey = "" // serving signs nothing
	require.Equal(t, own, read(append(env, own.environment()...), "api"))
}
