package main

import (
	"cmp"
	"encoding/base64"
	"io"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/alecthomas/kong"
	"github.com/stretchr/testify/require"
	"go.yaml.in/yaml/v3"
)

// settings are the variables of the environment that the program knows, and whether each is a secret.
func settings(t *testing.T) map[string]bool {
	t.Helper()
	parser, err := kong.New(&cli{}, kong.Name("levy"))
	require.NoError(t, err)
	known := map[string]bool{}
	for _, node := range append(parser.Model.Leaves(true), parser.Model.Node) {
		for _, flag := range node.Flags {
			if name := flag.Tag.Get("var"); name != "" {
				known[name] = isSecret(flag)
			}
		}
	}
	require.Greater(t, len(known), 40)
	return known
}

// The processes of docker-compose.yml accept their settings, log in to PostgreSQL in their own role, and have limits.
// All images are fit for production.
func TestTheProcessesOfComposeTakeTheirSettings(t *testing.T) {
	t.Parallel()
	content, err := os.ReadFile("../../docker-compose.yml")
	require.NoError(t, err)
	var compose struct {
		Services map[string]composeService
		Volumes  map[string]any
	}
	require.NoError(t, yaml.Unmarshal(content, &compose))
	for name, service := range compose.Services {
		for _, volume := range service.Volumes {
			if from := namedVolume.FindStringSubmatch(volume); from != nil {
				require.Contains(t, compose.Volumes, from[1], name)
			}
		}
	}
	known := settings(t)
	given := map[string]string{
		"LEVY_DATABASE_PASSWORD": "app", "LEVY_OWNER_PASSWORD": "owner", "POSTGRES_PASSWORD": "admin",
		"LEVY_WORKER_PASSWORD": "runner",
		"LEVY_MASTER_KEYS":     "k1:" + base64.StdEncoding.EncodeToString(make([]byte, 32)),
	}
	needs := map[string][]need{
		"roles":   {needDatabase},
		"migrate": {needDatabase, needTemporal},
		"api":     {needDatabase, needTemporal, needMasterKeys, needHTTP},
		"worker":  {needDatabase, needTemporal, needMasterKeys},
		"keys":    {needDatabase},
		"backup":  {needDatabase},
		"wal":     {needDatabase},
		"restore": {},
	}
	for name, service := range compose.Services {
		service.Command = expanded(service.Command, nil)
		require.NotEmpty(t, service.MemLimit, name)
		require.Empty(t, service.Tmpfs, "%s: files would count for its memory", name)
		require.NotContains(t, service.Image, "auto-setup", name)
		require.NotContains(t, service.Image, "latest", name)
		if !strings.HasPrefix(service.Image, "levy") {
			continue
		}
		programs := "levy-backup:${LEVY_VERSION:-local}" // the image with the programs of PostgreSQL
		switch name {
		case "wal":
			require.Equal(t, programs, service.Image)
			require.Equal(t, "backup", service.Command[0])
		case "backup", "restore":
			require.Equal(t, programs, service.Image)
			require.Equal(t, name, service.Command[0])
		default:
			require.Equal(t, "levy:${LEVY_VERSION:-local}", service.Image)
			require.Equal(t, name, service.Command[0])
		}
		var env []string
		for setting, value := range service.Environment {
			_, ok := known[setting]
			require.True(t, ok, "%s: %s is no setting", name, setting)
			for _, use := range composeVariable.FindAllStringSubmatch(value, -1) {
				require.False(t, use[2] == "?" && given[use[1]] == "", "%s is not in env.example", use[1])
			}
			env = append(env, setting+"="+expanded([]string{value}, given)[0])
		}
		var c cli
		parser, err := kong.New(&c, kong.Name("levy"), kong.Resolvers(newEnvironment(env)))
		require.NoError(t, err)
		_, err = parser.Parse(withFolders(t, service.Command))
		require.NoError(t, err, name)
		require.NoError(t, c.validate(needs[name]...), name)
		if name == "restore" {
			requireRestoreOfCompose(t, &c, service.Volumes, compose.Services)
			delete(needs, name)
			continue
		}
		login := "levy_app:app@"
		switch name {
		case "migrate":
			login = "levy_owner:owner@"
		case "worker":
			login = "levy_workflows:runner@"
		}
		require.Contains(t, c.DatabaseURL.Reveal(), login, name)
		if name == "roles" {
			require.Contains(t, c.Roles.AdminURL.Reveal(), "postgres:admin@")
			require.Contains(t, c.Roles.OwnerURL.Reveal(), "levy_owner:owner@")
			require.Contains(t, c.Roles.WorkerURL.Reveal(), "levy_workflows:runner@")
		}
		if name == "keys" {
			require.Equal(t, []string{"${KEYS_VOLUME:-keys}:/home/nonroot"}, service.Volumes,
				"a folder that the user of the image owns")
			require.Equal(t, "/home/nonroot/keys", c.Keys.Save.Keys)
			require.Equal(t, time.Hour, c.Keys.Save.Every)
			require.Empty(t, c.MasterKeys, "what is wrapped stays so")
		}
		if name == "backup" {
			require.NoError(t, c.Backup.Take.check())
			require.Equal(t, 24*time.Hour, c.Backup.Take.Every)
			require.Equal(t, 7, c.Backup.Take.Keep)
		}
		if name == "wal" {
			require.NoError(t, c.Backup.Take.check())
			require.True(t, c.Backup.Take.WAL)
		}
		if slices.Contains(service.Command, "/backups") {
			require.Equal(t, "/backups", c.Backup.Take.Folder)
			require.Equal(t, "postgres://postgres@/levy?host=/var/run/postgresql", c.Backup.Take.ReplicationURL.Reveal())
			require.Contains(t, service.Volumes, "${BACKUP_VOLUME:-backups}:/backups")
			require.Contains(t, service.Volumes, "socket:/var/run/postgresql", "the socket of the service postgres")
			require.Contains(t, compose.Services["postgres"].Volumes, "socket:/var/run/postgresql")
		}
		if name == "worker" {
			require.Equal(t, []string{"scratch:/tmp"}, service.Volumes, "boundary files do not fit into its memory")
			require.Contains(t, compose.Volumes, "scratch")
		}
		delete(needs, name)
	}
	require.Empty(t, needs, "processes that compose does not have")

	example, err := os.ReadFile("../../deploy/env.example")
	require.NoError(t, err)
	for _, use := range regexp.MustCompile(`\$\{(\w+):\?`).FindAllStringSubmatch(string(content), -1) {
		require.Regexp(t, `(?m)^`+use[1]+`=$`, string(example))
	}
}

// composeService is a service of docker-compose.yml, as far as tests read it.
type composeService struct {
	Image       string
	Command     []string
	User        string
	Environment map[string]string
	MemLimit    string `yaml:"mem_limit"`
	Volumes     []string
	Tmpfs       []string
	Profiles    []string
	DependsOn   any `yaml:"depends_on"`
}

// namedVolume matches a volume of Docker that a service has, also as the default of a variable.
var namedVolume = regexp.MustCompile(`^(?:\$\{\w+:-)?([a-z]+)\}?:/`)

// composeVariable matches a variable of a file of compose, with what holds without it.
var composeVariable = regexp.MustCompile(`\$\{(\w+):(-|\?)([^}]*)\}`)

// expanded puts values into words in the place of variables, as compose does.
func expanded(words []string, given map[string]string) []string {
	words = slices.Clone(words)
	for i := range words {
		words[i] = composeVariable.ReplaceAllStringFunc(words[i], func(use string) string {
			parts := composeVariable.FindStringSubmatch(use)
			return cmp.Or(given[parts[1]], parts[3])
		})
	}
	return words
}

// withFolders puts folders and files that exist in the place of those that a command expects.
func withFolders(t *testing.T, command []string) []string {
	t.Helper()
	there := slices.Clone(command)
	for i := range there {
		switch {
		case there[i] == "--wal" && i+1 < len(there):
			there[i+1] = t.TempDir()
		case there[i] == "--keys" && strings.HasSuffix(there[i+1], ".jsonl"):
			there[i+1] = filepath.Join(t.TempDir(), "levy-keys.jsonl")
			require.NoError(t, os.WriteFile(there[i+1], nil, 0o600))
		}
	}
	return there
}

// requireRestoreOfCompose checks that the restore reads the files of the services backup, wal and keys. The service postgres can
// be started on the cluster that it makes.
func requireRestoreOfCompose(t *testing.T, c *cli, volumes []string, services map[string]composeService) {
	t.Helper()
	restore, postgres := services["restore"], services["postgres"]
	require.Equal(t, []string{"restore"}, restore.Profiles, "by hand only")
	require.Empty(t, restore.DependsOn, "the cluster is gone")
	require.Equal(t, "/backups", c.Restore.Backup)
	require.Equal(t, "/restored/data", c.Restore.Target)
	require.Equal(t, []string{"restore", "/backups", "/restored/data", "--wal", "/backups/wal", "--keys",
		"/keys/keys/levy-keys.jsonl"}, expanded(restore.Command, nil))
	require.Subset(t, volumes, []string{
		"${BACKUP_VOLUME:-backups}:/backups:ro", "${KEYS_VOLUME:-keys}:/keys:ro", "restored:/restored",
	})
	require.Equal(t, "${KEYS_VOLUME:-keys}:/home/nonroot", services["keys"].Volumes[0])
	require.Contains(t, services["keys"].Command, "/home/nonroot/keys")
	require.Equal(t, "${POSTGRES_FOLDER:-/var/lib/postgresql/data}", postgres.Environment["PGDATA"])
	require.Contains(t, postgres.Volumes, "${POSTGRES_VOLUME:-postgres}:/var/lib/postgresql/data")
}

// The processes of the units of systemd accept the examples of their settings, and each logs in to PostgreSQL in its own
// role.
func TestTheUnitsTakeTheirSettings(t *testing.T) {
	t.Parallel()
	known := settings(t)
	units, err := filepath.Glob("../../deploy/linux/*.service")
	require.NoError(t, err)
	logins := map[string]string{}
	for _, unit := range units {
		text, err := os.ReadFile(unit)
		require.NoError(t, err)
		env := []string{"LEVY_MASTER_KEYS=k1:" + base64.StdEncoding.EncodeToString(make([]byte, 32))}
		var args []string
		for line := range strings.Lines(string(text)) {
			name, value, _ := strings.Cut(strings.TrimSpace(line), "=")
			switch name {
			case "ExecStart":
				args = strings.Fields(value)[1:]
			case "Environment":
				env = append(env, value)
			case "EnvironmentFile":
				example, err := os.ReadFile("../../deploy/linux/examples/" + filepath.Base(value))
				require.NoError(t, err)
				for setting := range strings.Lines(string(example)) {
					if setting = strings.TrimSpace(setting); setting != "" && !strings.HasPrefix(setting, "#") {
						name, _, _ := strings.Cut(setting, "=")
						if !strings.HasPrefix(name, "BACKUP_") { // systemd puts these into the command
							require.Contains(t, known, name, value)
						}
						env = append(env, setting)
					}
				}
			}
		}
		// The example leaves the master keys empty, which the operator makes.
		env = slices.DeleteFunc(env, func(setting string) bool { return setting == "LEVY_MASTER_KEYS=" })
		args = strings.Fields(os.Expand(strings.Join(args, " "), func(name string) string { return newEnvironment(env).values[name] }))
		var c cli
		command, err := c.parse(args, env, io.Discard, io.Discard)
		require.NoError(t, err, unit)
		if name := filepath.Base(unit); name == "levy-backup.service" {
			require.NoError(t, c.Backup.Take.check())
			require.Equal(t, takeBackupCmd{
				Folder: "/var/lib/levy/backups", Keep: 7, Scratch: "/var/tmp", FullEvery: 168 * time.Hour,
				ReplicationURL: "postgres://levy_backup:PASSWORD@db.example.com:5432/levy", objectStore: objectStore{S3Addressing: "auto"},
			}, c.Backup.Take)
		}
		needs := map[string][]need{
			"api": {needDatabase, needTemporal, needMasterKeys, needHTTP}, "worker": {needDatabase, needTemporal, needMasterKeys},
			"migrate": {needDatabase, needTemporal}, "keys save": {needDatabase},
			"backup take": {needDatabase},
		}[command.Selected().Path()]
		require.NotEmpty(t, needs, unit)
		require.NoError(t, c.validate(needs...), unit)
		at, err := url.Parse(c.DatabaseURL.Reveal())
		require.NoError(t, err)
		logins[command.Selected().Path()] = at.User.Username()
	}
	require.Equal(t, map[string]string{
		"api": "levy_app", "worker": "levy_workflows", "migrate": "levy_owner", "keys save": "levy_app",
		"backup take": "levy_app",
	}, logins)
}

// The Temporal UI of compose is configured for a browser on this machine without TLS. It calls the codec of the API
// with the session of the console, which accepts it. Every browser keeps its cookie. `make temporal-ui` tests it, in
// the version of compose.
func TestTheTemporalUIOfComposeIsReadAndWritten(t *testing.T) {
	t.Parallel()
	content, err := os.ReadFile("../../docker-compose.yml")
	require.NoError(t, err)
	var compose struct {
		Common   map[string]string `yaml:"x-environment"`
		Services map[string]struct {
			Image       string
			Environment map[string]string
			Ports       []string
		}
	}
	require.NoError(t, yaml.Unmarshal(content, &compose))
	ui := compose.Services["temporal-ui"]
	require.Equal(t, []string{"127.0.0.1:8233:8080"}, ui.Ports)
	require.Equal(t, []string{"127.0.0.1:8080:8080"}, compose.Services["api"].Ports)
	require.Equal(t, map[string]string{
		"TEMPORAL_ADDRESS": "temporal:7233", "TEMPORAL_CODEC_ENDPOINT": "http://localhost:8080/codec",
		"TEMPORAL_CODEC_INCLUDE_CREDENTIALS": "true", "TEMPORAL_CSRF_COOKIE_INSECURE": "true",
		"TEMPORAL_CORS_ORIGINS": compose.Common["LEVY_CODEC_ORIGINS"],
	}, ui.Environment)
	tried, err := os.ReadFile("../../tools/temporal-ui/go.mod")
	require.NoError(t, err)
	version := regexp.MustCompile(`temporalio/ui:([\d.]+)\}`).FindStringSubmatch(ui.Image)
	require.NotNil(t, version)
	require.Regexp(t, `github.com/temporalio/ui-server/v2 v`+regexp.QuoteMeta(version[1])+`\s`, string(tried))
}

// The Helm chart names no setting that the program does not have, and gives it secrets as files only.
func TestTheChartNamesSettingsThatExist(t *testing.T) {
	t.Parallel()
	known := settings(t)
	content, err := os.ReadFile("../../deploy/helm/templates/_helpers.tpl")
	require.NoError(t, err)
	named := map[string]bool{}
	for _, match := range regexp.MustCompile(`\bname: (LEVY_\w+)`).FindAllStringSubmatch(string(content), -1) {
		named[match[1]] = true
	}
	require.Len(t, named, 11)
	for name := range named {
		setting, isFile := strings.CutSuffix(name, fileSuffix)
		secret, ok := known[setting]
		require.True(t, ok, name)
		require.Equal(t, secret, isFile, name)
	}
	schema, err := os.ReadFile("../../deploy/helm/values.schema.json")
	require.NoError(t, err)
	for name, secret := range known {
		if secret {
			require.Contains(t, string(schema), `"`+name+`"`, "the chart would take this secret as a plain setting")
		}
	}
}
