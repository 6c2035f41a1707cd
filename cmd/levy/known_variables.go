package main

import (
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/alecthomas/kong"
)

// ownPrefix begins the names of all variables of Levy.
const ownPrefix = "LEVY_"

// otherVariables are variables that other parts read: the folder of downloads, the compose file, tests, and the examples of
// clients.
var otherVariables = []string{
	"LEVY_CACHE", "LEVY_VERSION", "LEVY_DATABASE_PASSWORD", "LEVY_OWNER_PASSWORD", "LEVY_WORKER_PASSWORD",
	"LEVY_FAILPOINTS", "LEVY_ACTIVITIES_TWICE", "LEVY_ORGANIZATION",
}

// othersVariable matches variables that are not settings. Kubernetes gives every container the addresses of services,
// by their names, such as LEVY_API_SERVICE_HOST and LEVY_API_PORT_8080_TCP. The others are of tests.
var othersVariable = regexp.MustCompile(
	`^LEVY_(?:(?:.+_)?SERVICE_(?:HOST|PORT(?:_.+)?)|(?:.+_)?PORT_\d+_(?:TCP|UDP|SCTP)(?:_(?:PROTO|PORT|ADDR))?|` +
		`(?:TEST|FAULTS|ATTACK|CONTRACT|RECEIVERS|VULNDB)(?:_.*)?)$`)

// serviceAddress matches the value of LEVY_API_PORT that Kubernetes gives, and no number of a port.
var serviceAddress = regexp.MustCompile(`^(?:tcp|udp|sctp)://`)

// knownVariables returns the names of all settings of a command line, with those of files and commands of secrets.
func knownVariables(app *kong.Application) []string {
	known := map[string]bool{}
	eachFlag(app, func(flag *kong.Flag) {
		name := flag.Tag.Get("var")
		if name == "" {
			return
		}
		known[name] = true
		if isSecret(flag) {
			known[name+fileSuffix], known[name+commandSuffix] = true, true
		}
	})
	return slices.Sorted(maps.Keys(known))
}

// eachFlag calls do for every flag of a command line.
func eachFlag(app *kong.Application, do func(*kong.Flag)) {
	_ = kong.Visit(app, func(node kong.Visitable, next kong.Next) error {
		if flag, is := node.(*kong.Flag); is {
			do(flag)
		}
		return next(nil)
	})
}

// unknown returns an error for each variable that begins like a setting and is none, with the setting that may be meant.
// An empty variable counts as absent.
func (e environment) unknown(known []string) error {
	var errs []error
	for _, name := range slices.Sorted(maps.Keys(e.values)) {
		if !strings.HasPrefix(name, ownPrefix) || e.values[name] == "" || slices.Contains(known, name) ||
			slices.Contains(otherVariables, name) || othersVariable.MatchString(name) || serviceAddress.MatchString(e.values[name]) {
			continue
		}
		if near := nearestName(known, name); near != "" {
			errs = append(errs, fmt.Errorf("%s is no setting: is %s meant?", name, near))
			continue
		}
		errs = append(errs, fmt.Errorf("%s is no setting", name))
	}
	return errors.Join(errs...)
}

// nearestName returns the name from which a name differs in the fewest letters; "" if it differs in more than two fifths.
func nearestName(known []string, name string) (nearest string) {
	least := len(strings.TrimPrefix(name, ownPrefix))*2/5 + 1
	for _, k := range known {
		if n := distance(k, name); n < least {
			nearest, least = k, n
		}
	}
	return nearest
}

// distance is the number of letters to add, remove, replace or swap with the next so that a becomes b.
func distance(a, b string) int {
	rows := [3][]int{make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)}
	for j := range rows[1] {
		rows[1][j] = j
	}
	for i := 1; i <= len(a); i++ {
		before, last, row := rows[0], rows[1], rows[2]
		row[0] = i
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			row[j] = min(last[j]+1, row[j-1]+1, last[j-1]+cost)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				row[j] = min(row[j], before[j-2]+1)
			}
		}
		rows = [3][]int{last, row, before}
	}
	return rows[1][len(b)]
}

// flagFault matches an error of a flag: its name, and what is wrong.
var flagFault = regexp.MustCompile(`^--([a-z0-9-]+)(?:=[^:]*)?: (.*)$`)

// withoutFault returns the fault of a setting by the name of its variable. It also returns the environment without the
// variable, in which the next fault is found. ok is false if the error is not about a variable.
func (e environment) withoutFault(app *kong.Application, args []string, err error) (rest environment, fault error, ok bool) {
	match := flagFault.FindStringSubmatch(err.Error())
	if match == nil || slices.ContainsFunc(args, func(arg string) bool {
		return arg == "--"+match[1] || strings.HasPrefix(arg, "--"+match[1]+"=")
	}) {
		return e, nil, false
	}
	var name string
	eachFlag(app, func(flag *kong.Flag) {
		if flag.Name == match[1] && !isSecret(flag) && e.values[flag.Tag.Get("var")] != "" {
			name = flag.Tag.Get("var")
		}
	})
	if name == "" {
		return e, nil, false
	}
	rest = environment{maps.Clone(e.values), e.commandTime}
	delete(rest.values, name)
	return rest, fmt.Errorf("%s: %s", name, match[2]), true
}
