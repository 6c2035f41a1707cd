package contract_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	types "levy/contract"
	problems "levy/contract/problem"
	"levy/service"
)

// A call of the methods of a session gets the reply that is recorded for HTTP. Faults that only a request over HTTP can
// have are left out; the faults after them remain.
func TestEveryTypedCallIsAnsweredAsRecorded(t *testing.T) {
	t.Parallel()
	in := install(t)
	l := &ladder{cast: newCast(t, in)}
	recorded := l.recordedReplies(recordedLines(t))
	d := &typedDoor{installation: in, service: in.server.Service(), recorded: recorded, absent: map[string]int{}}
	told := l.climb(d)
	require.NotContains(t, in.log.String(), `"level":"ERROR"`)
	var wrong []string
	for q, answer := range told {
		if recorded[q] != answer {
			wrong = append(wrong, fmt.Sprintf("%s %s of %s, %s: recorded %s, typed %s",
				q.operation, rungNames[q.step], q.who.group, q.who.name, recorded[q], answer))
		}
	}
	slices.Sort(wrong)
	left := 0
	for _, reason := range slices.Sorted(maps.Keys(d.absent)) {
		t.Logf("%d calls left out: %s", d.absent[reason], reason)
		left += d.absent[reason]
	}
	require.Empty(t, wrong[:min(len(wrong), 100)], "%d of %d replies differ", len(wrong), len(told))
	require.Len(t, recorded, len(told)+left, "each recorded reply is compared or left out for a reason")
}

// recordedReplies reads the replies of the table, for each caller.
func (l *ladder) recordedReplies(lines []string) map[question]reply {
	replies := map[question]reply{}
	for _, line := range lines {
		fields := strings.Fields(line[:callersColumn])
		step, told := rung(slices.Index(rungNames, fields[1])), reply{}
		_, err := fmt.Sscan(fields[2], &told.status)
		require.NoError(l.t, err)
		if len(fields) > 3 {
			told.code = fields[3]
		}
		op := l.contract.operations[fields[0]]
		for group := range strings.SplitSeq(line[callersColumn:], "; ") {
			name, some, limited := strings.Cut(strings.TrimSuffix(group, ")"), " (")
			for _, who := range l.callersOf(op) {
				if who.group == name && slices.Contains(l.rungs(op, who), step) &&
					(!limited || slices.Contains(strings.Split(some, ", "), who.name)) {
					replies[question{fields[0], step, who}] = told
				}
			}
		}
	}
	return replies
}

// typedDoor is the door of callers inside the process, such as pages and APIs of other services.
type typedDoor struct {
	*installation
	service  *service.Service
	recorded map[question]reply
	mu       sync.Mutex
	absent   map[string]int // calls that a caller inside the process cannot make, by the reason
}

// These are faults that a typed call cannot have, by the code of their refusal, with the reason.
const (
	aliasReason   = "an alias is another path, and no method"
	siteReason    = "the page of another site: doors that read cookies refuse it"
	mediaReason   = "a media type"
	sizeReason    = "the announced size of a body"
	keysReason    = "two idempotency keys"
	syntaxReason  = "a body that is not JSON"
	typeReason    = "a value of another type"
	unknownReason = "a parameter that the operation does not have"
)

func (d *typedDoor) try(who *caller, a attempt) (told reply, ok bool) {
	recorded, ok := d.recorded[question{a.op.OperationID, a.step, who}]
	require.True(d.t, ok, "%s %s of %s, %s is not recorded", a.op.OperationID, rungNames[a.step], who.group, who.name)
	leave := func(reason string) (reply, bool) {
		d.mu.Lock()
		defer d.mu.Unlock()
		d.absent[reason]++
		return reply{}, false
	}
	if strings.HasSuffix(a.op.OperationID, "Alias") {
		return leave(aliasReason)
	}
	call, err := newTypedCall(a)
	require.NoError(d.t, err)
	if who.elsewhere {
		call.lacks[string(problems.CodeForbiddenForKey)] = siteReason
	}
	if reason := call.lacks[recorded.code]; reason != "" {
		return leave(reason)
	}
	ctx, stop := context.WithCancel(d.t.Context())
	defer stop()
	status, err := d.carryOut(ctx, stop, who, call)
	if err == nil {
		return reply{status: status}, true
	}
	p := new(problems.Problem)
	if !errors.As(err, &p) {
		require.NoError(d.t, err, "%s %s of %s, %s", a.op.OperationID, rungNames[a.step], who.group, who.name)
	}
	return reply{problems.StatusOf(p.Code), string(p.Code)}, true
}

// carryOut makes the call as a caller. Errors: *problems.Problem, and those that the contract has no code for.
func (d *typedDoor) carryOut(ctx context.Context, stop func(), who *caller, call *typedOperation) (status int, err error) {
	id := call.op.OperationID
	caller, err := d.callerOf(ctx, who, id)
	if err != nil {
		return 0, withCode(ctx, err)
	}
	organization := strings.Join(who.organizations, ",")
	session, err := d.service.Enter(ctx, caller, id, organization)
	defer session.Close() //nolint:staticcheck // Enter returns a session with an error, too
	if err != nil {
		return 0, withCode(session.Context(ctx), err)
	}
	var calls any = session.WithKey(call.key)
	if call.file != nil {
		calls = session.WithKey(call.key).WithFile(call.file)
	}
	arguments := []reflect.Value{reflect.ValueOf(ctx), call.request.Elem()}
	if isStream(call.op.path) || d.service.Operation(id).Stream {
		arguments = append(arguments, reflect.ValueOf(firstPart{stop}))
	}
	answers := reflect.ValueOf(calls).MethodByName(methodOf(id)).Call(arguments)
	err, _ = answers[len(answers)-1].Interface().(error)
	if stopped := ctx.Err() != nil; stopped { // a stream ends with its reader
		err = nil
	}
	return d.service.Operation(id).Status, withCode(session.Context(ctx), err)
}

// withCode is an error as the problem of the contract, if it is one.
func withCode(ctx context.Context, err error) error {
	if err == nil {
		return nil
	}
	if p := service.ProblemOf(ctx, err); p != nil {
		return p
	}
	return err
}

func (d *typedDoor) callerOf(ctx context.Context, who *caller, operation string) (service.Caller, error) {
	peer := service.Peer{Address: d.address(), RequestID: "req_typed"}
	switch {
	case public[operation]:
		return service.Visitor(peer), nil
	case who.session != "":
		return d.service.CallerBySession(ctx, peer, who.session)
	case who.link != "":
		return d.service.CallerByLink(ctx, peer, who.link)
	}
	return d.service.CallerByKey(ctx, peer, who.key)
}

// methodOf is the method of an operation.
func methodOf(id string) string { return strings.ToUpper(id[:1]) + id[1:] }

// firstPart leaves a stream with its first part.
type firstPart struct{ leave func() }

func (firstPart) Begin(types.Content)              {}
func (f firstPart) Write(part []byte) (int, error) { return len(part), nil }
func (f firstPart) Flush()                         { f.leave() }
func (firstPart) LastEventID() string              { return "" }

// typedOperation is a call of a method of a session.
type typedOperation struct {
	op      operation
	request reflect.Value // pointer to its request
	key     string
	file    *types.File
	lacks   map[string]string // reasons by the code of a fault of the attempt that the call does not have
}

// newTypedCall is an attempt as a call of a method.
func newTypedCall(a attempt) (*typedOperation, error) {
	method, ok := reflect.TypeFor[*service.Session]().MethodByName(methodOf(a.op.OperationID))
	if !ok {
		return nil, fmt.Errorf("no method of %s", a.op.OperationID)
	}
	c := &typedOperation{op: a.op, request: reflect.New(method.Type.In(2)), lacks: map[string]string{}}
	if a.op.RequestBody != nil && a.contentType == "text/plain" {
		c.lacks[string(problems.CodeUnsupportedMediaType)] = mediaReason
	}
	if a.length > 0 {
		c.lacks[string(problems.CodePayloadTooLarge)] = sizeReason
	}
	switch {
	case len(a.idempotencyKeys) > 1:
		c.lacks[string(problems.CodeInvalidHeader)] = keysReason
	case len(a.idempotencyKeys) == 1:
		c.key = a.idempotencyKeys[0]
	}
	target, query, _ := strings.Cut(a.op.fill(a.named), "?")
	if err := c.fillPath(target); err != nil {
		return nil, err
	}
	if err := c.fillQuery(strings.Trim(query+"&"+a.query, "&")); err != nil {
		return nil, err
	}
	c.fillBody(a)
	return c, nil
}

// fillPath fills the fields of the path. Those are named like its parameters.
func (c *typedOperation) fillPath(target string) error {
	segments := strings.Split(target, "/")
	for i, part := range strings.Split(c.op.path, "/") {
		if !strings.HasPrefix(part, "{") {
			continue
		}
		text, err := url.PathUnescape(segments[i])
		if err != nil {
			return err
		}
		name := strings.ReplaceAll(strings.Trim(part, "{}"), "_", "")
		field := c.request.Elem().FieldByNameFunc(func(field string) bool { return strings.EqualFold(field, name) })
		if !field.IsValid() {
			return fmt.Errorf("%s has no field for %s", c.request.Type(), part)
		}
		field.SetString(text)
	}
	return nil
}

// fillQuery fills the fields of the query.
func (c *typedOperation) fillQuery(query string) error {
	values, err := url.ParseQuery(query)
	if err != nil {
		return err
	}
	for name, value := range values {
		params := c.request.Elem().FieldByName("Params")
		known := params.IsValid() && slices.ContainsFunc(reflect.VisibleFields(params.Type()), func(f reflect.StructField) bool {
			return f.Tag.Get("form") != "" && strings.Split(f.Tag.Get("form"), ",")[0] == name
		})
		if !known {
			c.lacks[string(problems.CodeValidationFailed)] = unknownReason
			continue
		}
		text, number := fmt.Sprintf(`{%q:%q}`, name, value[0]), fmt.Sprintf(`{%q:%s}`, name, value[0])
		into := params.Addr().Interface()
		if types.Decode([]byte(text), into) != nil && types.Decode([]byte(number), into) != nil {
			c.lacks[string(problems.CodeValidationFailed)] = typeReason
		}
	}
	return nil
}

// fillBody fills the body, or takes the file out of it.
func (c *typedOperation) fillBody(a attempt) {
	if a.op.isForm() {
		_, content, _ := strings.Cut(strings.TrimSuffix(a.body, formEnd), "\r\n\r\n")
		c.file = &types.File{
			Name: "certificate.pdf", Type: http.DetectContentType([]byte(content)), Content: bytes.NewBufferString(content),
		}
		return
	}
	if a.op.isFile() {
		c.file = &types.File{Type: "text/csv", Content: strings.NewReader(a.body)}
		return
	}
	if a.body == "" {
		return
	}
	body := c.request.Elem().FieldByName("Body").Addr().Interface()
	if types.Decode([]byte(a.body), body) == nil {
		return
	}
	reflect.ValueOf(body).Elem().SetZero()
	if json.Valid([]byte(a.body)) {
		c.lacks[string(problems.CodeValidationFailed)] = typeReason
	} else {
		c.lacks[string(problems.CodeInvalidJSON)] = syntaxReason
	}
}
