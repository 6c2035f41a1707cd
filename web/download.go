package web

import (
	"log/slog"
	"net/http"
	"time"

	"levy/contract"
	"levy/internal/download"
)

// eventTime is how long a browser may take to read an event.
const eventTime = 30 * time.Second

// fileAnswer is the answer to a request for a file. It implements contract.Stream.
type fileAnswer struct {
	*download.Writer
	name string // of the file; empty for the name that the operation chose
}

// Begin tells what the file is.
func (f fileAnswer) Begin(content contract.Content) {
	if f.name != "" {
		content.Name = f.name
	}
	f.Describe(content.Type, content.Name)
}

// download answers with the file that an operation writes. A refusal before its first part is shown on a page. A file
// that fails later is broken off: a part must not pass for the whole. Errors: those of the operation.
func (v *pageRequest) download(write func(out contract.Stream) error) error {
	v.backToParent = true
	out := fileAnswer{download.New(v.w, v.Request, http.StatusOK, eventTime), v.file}
	err := write(out)
	if err != nil && out.Begun() {
		v.log(slog.LevelWarn, "file broken off", err)
		panic(http.ErrAbortHandler)
	}
	return err
}
