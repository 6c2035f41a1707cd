package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os/signal"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"go.opentelemetry.io/otel"
	otelprometheus "go.opentelemetry.io/otel/exporters/prometheus"
	sdkmetric "go.opentelemetry.io/otel/sdk/metric"
	sdkclient "go.temporal.io/sdk/client"

	"levy/internal/secret"
	"levy/internal/telemetry"
	"levy/models"
	"levy/store"
	"levy/store/content"
	"levy/store/masterkeys"
	"levy/store/pg"
	"levy/worker"
)

// parts are what the API and the worker have in common.
type parts struct {
	cfg      Config
	log      *slog.Logger
	registry *prometheus.Registry
	// comparing is taken by who compares versions of the tax content.
	comparing chan struct{}
	meters    *sdkmetric.MeterProvider
	store     *store.Store
	taxes     *content.Cache
	ring      *secret.Ring
	vault     *secret.Vault
	takeOver  *masterkeys.TakeOver
	end       context.CancelCauseFunc // ends the process in order, for a reason that endedBy returns
	codec     *worker.Codec
	client    sdkclient.Client
	// registered says that the worker of this process gets tasks; nil where there is none.
	registered *atomic.Bool

	closers []func(context.Context) error
}

// openParts puts together what a process needs. Nothing is contacted yet
// except the database, whose schema must be up to date; while it is out of reach,
// openParts waits.
func openParts(ctx context.Context, cfg Config, role pg.Role, logTo io.Writer) (_ *parts, err error) {
	service := "levy-" + string(role)
	p := &parts{
		cfg: cfg, log: cfg.logger(logTo).With("service", service),
		registry: telemetry.NewRegistry(), comparing: make(chan struct{}, 1),
	}
	slog.SetDefault(p.log)
	defer func() {
		if err != nil {
			err = errors.Join(err, p.close(context.WithoutCancel(ctx)))
		}
	}()
	if err := p.observe(ctx, service); err != nil {
		return nil, err
	}
	if p.ring, err = cfg.ring(); err != nil {
		return nil, err
	}
	if p.store, err = openStoreAs(ctx, cfg, role); err != nil {
		return nil, err
	}
	p.closers = append(p.closers, func(context.Context) error { p.store.Close(); return nil })
	p.vault = secret.NewVault(p.ring, p.store.Organizations)
	p.takeOver = p.store.MasterKeys.NewTakeOver(p.ring)
	if err := p.reachDatabase(ctx); err != nil {
		return nil, err
	}
	if !p.store.RowsSecured() {
		p.log.WarnContext(ctx, "rows of organizations have no second lock: the database has no roles for it, "+
			"see `levy migrate`")
	}
	if p.store.IsSuperuser(ctx) {
		p.log.WarnContext(ctx, "the login of LEVY_DATABASE_URL is a superuser: a defect of this process could change or remove "+
			"anything, the audit trail too. Run levy roles, and use the login that it makes")
	}
	sayEnded(ctx, p.log, p.taxes.Current(), day(time.Now()))
	if p.client, err = p.dialTemporal(); err != nil {
		return nil, err
	}
	p.closers = append(p.closers, func(context.Context) error { p.client.Close(); return nil })
	p.registry.MustRegister(newBacklogCollector(p.store), newBusinessCollector(p.store), newServerCollector(p.store, p.cfg),
		newPoolCollector(p.store))
	return p, nil
}

// observe starts traces, and what the SDK of Temporal measures by.
func (p *parts) observe(ctx context.Context, service string) error {
	flush, err := telemetry.StartTracing(ctx, service, version)
	if err != nil {
		return err
	}
	p.closers = append(p.closers, flush)
	exporter, err := otelprometheus.New(otelprometheus.WithRegisterer(p.registry))
	if err != nil {
		return fmt.Errorf("metrics: %w", err)
	}
	p.meters = sdkmetric.NewMeterProvider(sdkmetric.WithReader(exporter))
	return nil
}

// reachEvery is how often a starting process asks for a database out of reach.
const reachEvery = time.Second

// reachDatabase checks the schema and loads the tax content. It tries again until the database answers or ctx ends. So
// a process survives the start of a whole machine, or the restart of the database.
func (p *parts) reachDatabase(ctx context.Context) error {
	for {
		err := p.store.CheckDirect(ctx)
		if err == nil {
			err = p.store.CheckMigrated(ctx)
		}
		if err == nil { // before anything is opened: it names the key that is missing, and what needs it
			err = p.store.MasterKeys.Check(ctx, p.ring)
		}
		if err == nil {
			_, err = p.store.LoadTaxIDKey(ctx)
			err = explainKeys(err)
		}
		if err == nil {
			err = p.store.MasterKeys.Register(ctx, p.ring)
		}
		if err == nil {
			p.taxes, err = p.store.Content.OpenCache(ctx)
		}
		if !errors.Is(err, models.ErrUnavailable) {
			return err
		}
		p.log.WarnContext(ctx, "waiting for the database", "error", err.Error())
		select {
		case <-ctx.Done():
			return err
		case <-time.After(reachEvery):
		}
	}
}

// openStore checks what a command needs of the settings, and opens the database.
func (p *program) openStore(needs ...need) (*store.Store, error) {
	if err := p.config.validate(needs...); err != nil {
		return nil, err
	}
	return openStore(p.ctx, p.config)
}

// openMigrated is openStore for a command that needs the newest schema.
func (p *program) openMigrated(needs ...need) (*store.Store, error) {
	s, err := p.openStore(needs...)
	if err != nil {
		return nil, err
	}
	if err := s.CheckMigrated(p.ctx); err != nil {
		s.Close()
		return nil, err
	}
	return s, nil
}

// openStore opens the database under the login of the URL.
func openStore(ctx context.Context, cfg Config) (*store.Store, error) {
	return openStoreAs(ctx, cfg, pg.RoleLogin)
}

func openStoreAs(ctx context.Context, cfg Config, role pg.Role) (*store.Store, error) {
	var keys *secret.Ring // many commands need none
	if cfg.MasterKeys != "" {
		var err error
		if keys, err = cfg.ring(); err != nil {
			return nil, err
		}
	}
	return store.Open(ctx, store.Options{
		URL: cfg.DatabaseURL.Reveal(), MaxConnections: cfg.DatabaseConnections,
		Role: role, Tracer: telemetry.NewSQLTracer(), MasterKeys: keys,
		Quotas: models.Quotas{Storage: cfg.StorageQuota << 20, Organizations: cfg.OrganizationsQuota},
	})
}

func (p *parts) dialTemporal() (sdkclient.Client, error) {
	var err error
	if p.codec, err = codecOf(p.ring); err != nil {
		return nil, err
	}
	connection, err := p.cfg.temporalTLS()
	if err != nil {
		return nil, err
	}
	return worker.Dial(worker.ClientConfig{
		Address: p.cfg.TemporalAddress, Namespace: p.cfg.TemporalNamespace, Codec: p.codec, Log: p.log,
		TLS: connection, APIKey: p.cfg.TemporalAPIKey.Reveal(),
		Names:  p.store.Organizations.NamesOf,
		Tracer: otel.Tracer("levy/temporal"), Meter: p.meters.Meter("temporal"),
	})
}

// codecOf seals payloads with keys that follow from the master keys.
func codecOf(ring *secret.Ring) (*worker.Codec, error) {
	keys := map[string][]byte{}
	derived := ring.Derive(secret.PurposePayloads)
	for _, key := range derived {
		keys[key.ID] = key.Bytes
	}
	return worker.NewCodec(keys, derived[0].ID)
}

// inEveryProcess are the loops that API and worker have in common.
func (p *parts) inEveryProcess() []func(context.Context) {
	return []func(context.Context){
		p.followContent,
		p.store.Transactions.KeepCountsRolledUp,
		p.store.Catalog.KeepCountsRolledUp,
		p.store.Work.KeepFiguresCounted,
		p.sealAudit,
		p.sayMasterKey,
		p.store.CorrectSkewedTimers,
	}
}

// sayMasterKey records which master key is in front. It ends the process when the key was retired.
func (p *parts) sayMasterKey(ctx context.Context) {
	if err := p.takeOver.Say(ctx); err != nil {
		p.log.ErrorContext(ctx, "this process ends", "error", err.Error())
		p.end(err)
	}
}

// endedBy returns why a process ended itself; nil if it was told to.
func endedBy(ctx context.Context) error {
	if cause := context.Cause(ctx); errors.Is(cause, masterkeys.ErrRetired) {
		return cause
	}
	return nil
}

// contentEvery is how often a process checks whether other tax content came into
// force.
const contentEvery = 2 * time.Second

// followContent swaps the tax content when another process activates one.
func (p *parts) followContent(ctx context.Context) {
	p.taxes.Watch(ctx, contentEvery, func(err error) {
		p.log.WarnContext(ctx, "tax content in force could not be read", "error", err.Error())
	})
}

// sealAudit seals what is written to the audit trail.
func (p *parts) sealAudit(ctx context.Context) {
	p.store.Audit.KeepSealed(ctx, secret.NewSealer(p.ring))
}

// keepEventDays makes the tables of the next days of events and drops old ones, every hour.
func (p *parts) keepEventDays(ctx context.Context) {
	pg.Repeat(ctx, "making and dropping days of events", time.Hour, func(ctx context.Context) (bool, error) {
		_, _, err := p.store.Events.KeepDays(ctx)
		return false, err
	})
}

// close gives everything back, last opened first.
func (p *parts) close(ctx context.Context) error {
	var errs []error
	for i := len(p.closers) - 1; i >= 0; i-- {
		errs = append(errs, p.closers[i](ctx))
	}
	return errors.Join(errs...)
}

// serviceLog is where a process that serves logs to: it goes on serving whatever becomes
// of its log. A pipe whose reader has ended would otherwise end the process.
func (p *program) serviceLog() io.Writer {
	signal.Ignore(syscall.SIGPIPE)
	return telemetry.NewLogWriter(p.stderr, func(lines int64) {
		slog.Warn("lines of the log were lost", "lines", lines)
	})
}
