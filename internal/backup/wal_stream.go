package backup

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"strconv"
	"time"

	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgproto3"
)

const (
	partEvery  = time.Minute      // how often the segment that is being written goes into the archive
	reportWAL  = 10 * time.Second // how often the server is told what the archive has
	sendAgain  = 5 * time.Second  // after a failure
	oneSegment = 5 * time.Minute  // limits the upload of a segment
	// senderTimeout is how long the server waits for a word, in milliseconds: longer than the upload of a segment.
	senderTimeout = "600000"
)

// SendWAL puts what the server writes into its WAL into an archive, until ctx ends. Each segment goes there once it is complete,
// and what there is of the next one goes there once a minute. The server keeps what the archive has not, so that nothing needs a
// disk here. segment is the size of a segment in bytes. failed is called with an error after which it starts again. Errors:
// those before the first WAL came, and ErrOtherWAL.
func (s Server) SendWAL(ctx context.Context, archive WALArchive, segment int64, failed func(error)) error {
	for again := false; ; again = true {
		began, err := s.sendWAL(ctx, archive, segment)
		switch {
		case ctx.Err() != nil && !began:
			return nil
		case ctx.Err() != nil:
			return err
		case errors.Is(err, ErrOtherWAL), !began && !again:
			return err
		}
		failed(err)
		select {
		case <-ctx.Done():
			return nil
		case <-time.After(sendAgain):
		}
	}
}

// sendWAL does so until a connection ends. began reports whether the server sent its WAL.
func (s Server) sendWAL(ctx context.Context, archive WALArchive, segment int64) (began bool, err error) {
	conn, err := s.replicate(ctx, "levy wal", map[string]string{"wal_sender_timeout": senderTimeout})
	if err != nil {
		return false, err
	}
	defer func() {
		end, cancel := context.WithTimeout(context.WithoutCancel(ctx), tidying)
		defer cancel()
		_ = conn.Close(end)
	}()
	r := &walReceiver{archive: archive, buffer: make([]byte, segment)}
	if err := r.start(ctx, conn); err != nil {
		return false, err
	}
	err = r.receive(ctx, conn)
	if ctx.Err() != nil {
		rest, cancel := context.WithTimeout(context.WithoutCancel(ctx), tidying)
		defer cancel()
		return true, r.end(rest, conn)
	}
	return true, err
}

// walReceiver takes the WAL of a server segment by segment. Positions are those of the WAL in bytes.
type walReceiver struct {
	archive  WALArchive
	timeline uint64
	buffer   []byte // the segment that is being received, zeros behind what there is of it
	filled   int    // bytes of it
	at       uint64 // position behind them
	kept     uint64 // the archive has all before it; 0 before the first part
	compared string // segment whose part in the archive is known to begin as the one of the server does
}

// start has the server send its WAL from the beginning of the first segment that the slot keeps. It makes the slot if there is none.
func (r *walReceiver) start(ctx context.Context, conn *pgconn.PgConn) error {
	system, err := answer(ctx, conn, "IDENTIFY_SYSTEM")
	if err != nil {
		return err
	}
	slot, err := answer(ctx, conn, "READ_REPLICATION_SLOT "+Slot)
	if err == nil && slot[0] == "" {
		if _, err = answer(ctx, conn, "CREATE_REPLICATION_SLOT "+Slot+" PHYSICAL RESERVE_WAL"); err == nil {
			slot, err = answer(ctx, conn, "READ_REPLICATION_SLOT "+Slot)
		}
	}
	if err != nil {
		return err
	}
	if r.timeline, err = strconv.ParseUint(system[1], 10, 32); err != nil {
		return err
	}
	if slot[1] == "" {
		return fmt.Errorf("the replication slot %s has lost its WAL: drop it, and take a backup", Slot)
	}
	keeps, err := position(slot[1])
	if err != nil {
		return err
	}
	r.at = keeps - keeps%uint64(len(r.buffer))
	if r.timeline > 1 {
		history, err := answer(ctx, conn, fmt.Sprintf("TIMELINE_HISTORY %d", r.timeline))
		if err != nil {
			return err
		}
		if err := archiveWAL(ctx, r.archive, history[0], []byte(history[1])); err != nil {
			return err
		}
	}
	conn.Frontend().SendQuery(&pgproto3.Query{String: fmt.Sprintf("START_REPLICATION SLOT %s PHYSICAL %X/%X TIMELINE %d",
		Slot, r.at>>32, uint32(r.at), r.timeline)})
	if err := conn.Frontend().Flush(); err != nil {
		return err
	}
	for {
		message, err := conn.ReceiveMessage(ctx)
		if err != nil {
			return err
		}
		switch m := message.(type) {
		case *pgproto3.CopyBothResponse:
			return nil
		case *pgproto3.ErrorResponse:
			return pgconn.ErrorResponseToPgError(m)
		}
	}
}

// answer returns the only row that a command of replication answers; NULL is empty.
func answer(ctx context.Context, conn *pgconn.PgConn, command string) ([]string, error) {
	results, err := conn.Exec(ctx, command).ReadAll()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", command, err)
	}
	if len(results) != 1 || len(results[0].Rows) != 1 || len(results[0].Rows[0]) < 2 {
		return nil, fmt.Errorf("%s: PostgreSQL answered something else", command)
	}
	var row []string
	for _, value := range results[0].Rows[0] {
		row = append(row, string(value))
	}
	return row, nil
}

var errNoMoreWAL = errors.New("PostgreSQL sends no more WAL: it was stopped, or its timeline ended")

// receive takes what comes, until the connection or ctx ends.
func (r *walReceiver) receive(ctx context.Context, conn *pgconn.PgConn) error {
	part, report := time.Now().Add(partEvery), time.Now()
	for {
		if now := time.Now(); now.After(part) {
			if err := r.keep(ctx); err != nil {
				return err
			}
			part, report = now.Add(partEvery), now
		}
		if now := time.Now(); !now.Before(report) {
			if err := r.report(conn); err != nil {
				return err
			}
			report = now.Add(reportWAL)
		}
		waiting, cancel := context.WithTimeout(ctx, reportWAL)
		message, err := conn.ReceiveMessage(waiting)
		cancel()
		switch {
		case err != nil && ctx.Err() == nil && pgconn.Timeout(err):
			continue // nothing was written
		case err != nil:
			return err
		}
		soon, err := r.take(ctx, message)
		if err != nil {
			return err
		}
		if soon {
			report = time.Time{}
		}
	}
}

// end takes what the server has sent already, and puts it into the archive.
func (r *walReceiver) end(ctx context.Context, conn *pgconn.PgConn) error {
	conn.Frontend().Send(&pgproto3.CopyDone{})
	if conn.Frontend().Flush() == nil {
		for {
			message, err := conn.ReceiveMessage(ctx)
			if err != nil {
				break
			}
			if _, err := r.take(ctx, message); err != nil {
				break // a failure of the archive comes again
			}
		}
	}
	return r.keep(ctx)
}

// take takes a message. soon reports whether the server wants to know how far the archive is.
func (r *walReceiver) take(ctx context.Context, message pgproto3.BackendMessage) (soon bool, err error) {
	switch m := message.(type) {
	case *pgproto3.CopyData:
		switch {
		case len(m.Data) >= 25 && m.Data[0] == 'w': // position, end, time, and WAL
			return r.add(ctx, binary.BigEndian.Uint64(m.Data[1:]), m.Data[25:])
		case len(m.Data) >= 18 && m.Data[0] == 'k' && m.Data[17] == 1:
			// A server that stops waits until the archive has everything.
			return true, r.keep(ctx)
		}
	case *pgproto3.CopyDone:
		return false, errNoMoreWAL
	case *pgproto3.ErrorResponse:
		return false, pgconn.ErrorResponseToPgError(m)
	}
	return false, nil
}

// add takes WAL from a position on. soon reports whether a segment is complete.
func (r *walReceiver) add(ctx context.Context, from uint64, data []byte) (soon bool, err error) {
	if from != r.at {
		return false, fmt.Errorf("PostgreSQL sends WAL from %X/%X on, where %X/%X was expected", from>>32, uint32(from), r.at>>32, uint32(r.at))
	}
	for len(data) > 0 {
		n := copy(r.buffer[r.filled:], data)
		r.filled, r.at, data = r.filled+n, r.at+uint64(n), data[n:]
		if r.filled < len(r.buffer) {
			continue
		}
		if err := r.keep(ctx); err != nil {
			return false, err
		}
		clear(r.buffer)
		r.filled, soon = 0, true
	}
	return soon, nil
}

// keep puts the segment into the archive, as far as there is one.
func (r *walReceiver) keep(ctx context.Context) error {
	if r.filled == 0 || r.at == r.kept {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, oneSegment)
	defer cancel()
	number := (r.at - 1) / uint64(len(r.buffer))
	perID := (1 << 32) / uint64(len(r.buffer))
	name := fmt.Sprintf("%08X%08X%08X", r.timeline, number/perID, number%perID)
	keep := r.keepPart
	if r.filled == len(r.buffer) {
		keep = r.keepWhole
	}
	if err := keep(ctx, name); err != nil {
		return err
	}
	r.kept = r.at
	return nil
}

// keepWhole puts a complete segment into the archive, in the place of its part.
func (r *walReceiver) keepWhole(ctx context.Context, name string) error {
	if err := archiveWAL(ctx, r.archive, name, r.buffer); err != nil {
		return err
	}
	return r.archive.remove(ctx, name+partial)
}

// keepPart puts a segment into the archive that is not complete, unless an earlier process has put more of it there.
func (r *walReceiver) keepPart(ctx context.Context, name string) error {
	if r.compared != name {
		there, err := readWAL(ctx, r.archive, name+partial)
		if err != nil {
			return err
		}
		there = bytes.TrimRight(there, "\x00")
		common := min(len(there), r.filled)
		// guard: backups: part of a segment is not replaced by that of another server
		if !bytes.Equal(there[:common], r.buffer[:common]) {
			return fmt.Errorf("%s in %s: %w", name+partial, r.archive.Address(), ErrOtherWAL)
		}
		if len(there) > r.filled {
			return nil
		}
		r.compared = name
	}
	return packWAL(ctx, r.archive, name+partial, r.buffer)
}

// epoch is the beginning of PostgreSQL's time.
var epoch = time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC)

// report tells the server what came, and what the archive has: the server may remove that.
func (r *walReceiver) report(conn *pgconn.PgConn) error {
	status := []byte{'r'}
	for _, position := range []uint64{r.at, r.kept, 0, uint64(time.Since(epoch).Microseconds())} {
		status = binary.BigEndian.AppendUint64(status, position)
	}
	conn.Frontend().Send(&pgproto3.CopyData{Data: append(status, 0)})
	return conn.Frontend().Flush()
}
