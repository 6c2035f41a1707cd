package testbed

import (
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"

	"github.com/stretchr/testify/require"
	"go.yaml.in/yaml/v3"

	"levy/internal/local/postgres"
)

// composed is what docker-compose.yml says of a service.
type composed struct {
	Image       string
	Command     []string
	Environment map[string]string
	DependsOn   map[string]struct{ Condition string } `yaml:"depends_on"`
}

// compose runs the services of Levy in docker-compose.yml that end, in its order. The API, the worker and all further
// commands get the settings of that file. Servers and their passwords are those of the bed. No process can write into
// the folder for temporary files, as in a read-only container.
func (b *Bed) compose() {
	b.tb.Helper()
	_, here, _, _ := runtime.Caller(0)
	content, err := os.ReadFile(filepath.Join(filepath.Dir(here), "../../docker-compose.yml"))
	require.NoError(b.tb, err)
	var file struct{ Services map[string]composed }
	require.NoError(b.tb, yaml.Unmarshal(content, &file))
	env := append(b.env, "TMPDIR="+filepath.Join(b.dir, "none"))
	begun := map[string]bool{}
	var begin func(name string)
	begin = func(name string) {
		service := file.Services[name]
		if begun[name] || !strings.HasPrefix(service.Image, "levy:") {
			return // PostgreSQL and Temporal run
		}
		begun[name] = true
		for before, dependency := range service.DependsOn {
			begin(before)
			if dependency.Condition != "service_completed_successfully" || !begun[before] {
				continue
			}
			cmd := exec.Command(b.program, file.Services[before].Command...)
			cmd.Env = append(slices.Clip(env), b.composedEnvironment(file.Services[before])...)
			out, err := cmd.CombinedOutput()
			require.NoError(b.tb, err, "levy %s: %s", before, out)
		}
	}
	require.Equal(b.tb, []string{"api"}, file.Services["api"].Command)
	require.Equal(b.tb, []string{"worker"}, file.Services["worker"].Command)
	begin("api")
	b.env = append(slices.Clip(env), b.composedEnvironment(file.Services["api"])...)
	b.environmentOfWorkers = b.composedEnvironment(file.Services["worker"])
}

var composeVariable = regexp.MustCompile(`\$\{(\w+):[-?]([^}]*)\}`)

// composedEnvironment is that of a service, with the servers of the bed.
func (b *Bed) composedEnvironment(service composed) (env []string) {
	b.tb.Helper()
	for name, value := range service.Environment {
		value = composeVariable.ReplaceAllStringFunc(value, func(use string) string {
			found := composeVariable.FindStringSubmatch(use)
			if strings.HasSuffix(found[1], "_PASSWORD") {
				return "password" // the bed's stands in its place
			}
			if found[1] == "LEVY_MASTER_KEYS" {
				return b.MasterKeys
			}
			return strings.TrimPrefix(found[2], "see deploy/env.example")
		})
		env = append(env, name+"="+strings.Replace(b.composedAddress(value), "temporal:7233", b.TemporalAddress, 1))
	}
	return env
}

// composedAddress has an address of PostgreSQL lead to the bed's, as the login that it names.
func (b *Bed) composedAddress(value string) string {
	b.tb.Helper()
	u, err := url.Parse(value)
	if err != nil || u.Scheme != "postgres" {
		return value
	}
	require.Equal(b.tb, "postgres:5432", u.Host)
	for login, address := range map[string]string{"postgres": b.DatabaseURL, postgres.OwnerLogin: b.ownerURL,
		postgres.ServiceLogin: b.serviceURL, postgres.WorkerLogin: b.workerURL} {
		if u.User.Username() == login {
			return address
		}
	}
	require.Fail(b.tb, "the bed has no such login", u.User.Username())
	return ""
}
