package main

import (
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/netip"
	"net/url"
	"strings"
	"time"

	"levy/internal/secret"
	"levy/internal/telemetry"
	"levy/internal/webhook"
	"levy/models"
	"levy/service"
)

// Config is the configuration of every process, from flags and environment.
type Config struct {
	HTTPAddr   string        `var:"LEVY_HTTP_ADDR" default:"127.0.0.1:8080" placeholder:"HOST:PORT" help:"Where the API listens." group:"Listening"`
	DrainDelay time.Duration `var:"LEVY_DRAIN_DELAY" default:"0s" help:"How long a stopping API still serves while /readyz already answers 503: longer than the load balancer takes to notice." group:"Listening"`

	TLSCert        string   `var:"LEVY_TLS_CERT" placeholder:"FILE" help:"Certificate (PEM) with its chain: the API listens by TLS. A replaced file is read within a minute." group:"Listening"`
	TLSKey         string   `var:"LEVY_TLS_KEY" placeholder:"FILE" help:"Private key (PEM) of that certificate." group:"Listening"`
	TrustedProxies []string `var:"LEVY_TRUSTED_PROXIES" placeholder:"ADDRESS" help:"Addresses or networks (10.0.0.0/8) of proxies whose X-Forwarded-For says who sends a request; failed keys and sign-ins are counted by it." group:"Listening"`

	PrivateAddr string `var:"LEVY_PRIVATE_ADDR" default:"127.0.0.1:0" placeholder:"HOST:PORT" help:"Where /metrics, /readyz and /healthz listen; port 0 takes a free one. Keep it private." group:"Listening"`
	Profiles    bool   `var:"LEVY_PROFILES" help:"Also serve /debug/pprof there: profiles of CPU and memory." group:"Listening"`

	DatabaseURL         Secret `var:"LEVY_DATABASE_URL" placeholder:"postgres://..." help:"PostgreSQL to use. levy dev runs its own when this is empty." group:"PostgreSQL"`
	DatabaseConnections int32  `var:"LEVY_DATABASE_CONNECTIONS" default:"20" help:"Most connections of one process to PostgreSQL. A partner has at most a quarter of them while others have work. The API has one more." group:"PostgreSQL"`

	DatabaseFolder string `var:"LEVY_DATABASE_FOLDER" placeholder:"FOLDER" help:"Folder on the disk of PostgreSQL's data, where this process can see it: its free space is measured, and an alarm says when it ends." group:"PostgreSQL"`

	TemporalAddress   string `var:"LEVY_TEMPORAL_ADDRESS" placeholder:"HOST:PORT" help:"Temporal frontend to use. levy dev runs its own when this is empty." group:"Temporal"`
	TemporalNamespace string `var:"LEVY_TEMPORAL_NAMESPACE" default:"default" help:"Namespace of Temporal that has the workflows." group:"Temporal"`
	TemporalTLS       bool   `var:"LEVY_TEMPORAL_TLS" help:"Reach Temporal by TLS, also without any of the settings below." group:"Temporal"`
	TemporalCA        string `var:"LEVY_TEMPORAL_CA" placeholder:"FILE" help:"Certificates (PEM) of the authorities that may sign that of Temporal; default: those of the system." group:"Temporal"`
	TemporalCert      string `var:"LEVY_TEMPORAL_CERT" placeholder:"FILE" help:"Certificate (PEM) that this process shows to Temporal." group:"Temporal"`
	TemporalKey       string `var:"LEVY_TEMPORAL_KEY" placeholder:"FILE" help:"Private key (PEM) of that certificate." group:"Temporal"`
	TemporalName      string `name:"temporal-server-name" var:"LEVY_TEMPORAL_SERVER_NAME" placeholder:"HOST" help:"Name in the certificate of Temporal, where it is not that of the address." group:"Temporal"`
	TemporalAPIKey    Secret `var:"LEVY_TEMPORAL_API_KEY" help:"Key that this process shows to Temporal; it is sent by TLS only." group:"Temporal"`
	WorkerConcurrency int    `var:"LEVY_WORKER_CONCURRENCY" default:"4" help:"Most activities of each task queue that one worker runs at the same time." group:"Temporal"`
	WorkerBuildID     string `var:"LEVY_WORKER_BUILD_ID" help:"Name of this release in Temporal's worker versioning; none turns it off. Default: the tag, or version and hash." group:"Temporal"`

	MasterKeys   Secret   `var:"LEVY_MASTER_KEYS" placeholder:"ID:BASE64[,...]" help:"Keys of 32 bytes for API keys, payloads and personal data: the first encrypts, all decrypt. levy dev makes its own." group:"Secrets"`
	WrappingKeys Secret   `var:"LEVY_WRAPPING_KEYS" placeholder:"ID:BASE64[,...]" help:"Keys of 32 bytes that wrap data keys in place of the master keys, so that they can be replaced and destroyed alone: the first wraps, all unwrap. An id without a key is that master key. Default: the master keys." group:"Secrets"`
	CodecToken   Secret   `var:"LEVY_CODEC_TOKEN" help:"A caller who sends it from this machine as X-Levy-Codec-Token reads payloads in clear text. levy dev makes one; leave it empty in a deployment." group:"Secrets"`
	CodecOrigins []string `var:"LEVY_CODEC_ORIGINS" placeholder:"URL" help:"Addresses of the Temporal UI that may call the codec endpoint from a browser." group:"Secrets"`

	PublicURL        string   `var:"LEVY_PUBLIC_URL" placeholder:"URL" help:"Address under which people open this installation in a browser, such as https://levy.example.com. Passkeys belong to its host: without it there are none." group:"Sign-in"`
	OIDCIssuer       string   `var:"LEVY_OIDC_ISSUER" placeholder:"URL" help:"OpenID provider at which people sign in, instead of with passwords." group:"Sign-in"`
	OIDCClientID     string   `var:"LEVY_OIDC_CLIENT_ID" help:"Id of this installation at the provider." group:"Sign-in"`
	OIDCClientSecret Secret   `var:"LEVY_OIDC_CLIENT_SECRET" help:"Secret of this installation at the provider." group:"Sign-in"`
	OIDCRedirectURL  string   `var:"LEVY_OIDC_REDIRECT_URL" placeholder:"URL" help:"Where the provider sends people back to, as registered there: the address of this installation, then /oidc/callback." group:"Sign-in"`
	OIDCDomains      []string `var:"LEVY_OIDC_DOMAINS" placeholder:"DOMAIN" help:"Domains of e-mail addresses that may sign in; none: all who were invited." group:"Sign-in"`

	SMTPAddr     string `name:"smtp-addr" var:"LEVY_SMTP_ADDR" placeholder:"HOST:PORT" help:"Mail server that sends invitations, sign-in links and e-mails about work to their people. Empty: Levy sends no e-mail, and hands each link to its maker." group:"E-mail"`
	SMTPSecurity string `name:"smtp-security" var:"LEVY_SMTP_SECURITY" default:"starttls" enum:"starttls,tls,none" help:"How the mail server is reached: starttls or tls, both required; none is for a server of this machine." group:"E-mail"`
	SMTPFrom     string `name:"smtp-from" var:"LEVY_SMTP_FROM" placeholder:"ADDRESS" help:"Sender of e-mail, such as Levy <levy@example.com>." group:"E-mail"`
	SMTPContact  string `name:"smtp-contact" var:"LEVY_SMTP_CONTACT" placeholder:"ADDRESS" help:"E-mail address of the operator, for answers to e-mail and questions of clients. Empty: that of LEVY_SMTP_FROM." group:"E-mail"`
	SMTPUser     string `name:"smtp-user" var:"LEVY_SMTP_USER" help:"User at the mail server; empty for a server that asks for none." group:"E-mail"`
	SMTPPassword Secret `name:"smtp-password" var:"LEVY_SMTP_PASSWORD" help:"Password of that user." group:"E-mail"`
	SMTPDaily    int    `name:"smtp-daily" var:"LEVY_SMTP_DAILY" default:"500" help:"E-mails of one organization, with its clients, in 24 hours; others wait." group:"E-mail"`

	ContentKeys       []string `var:"LEVY_CONTENT_KEYS" placeholder:"BASE64" help:"Public keys (ed25519, 32 bytes) whose content bundles levy content update accepts." group:"Content"`
	ContentSigningKey Secret   `var:"LEVY_CONTENT_SIGNING_KEY" placeholder:"BASE64" help:"Key by which levy content build signs bundles, made by levy content key. Using bundles needs none." group:"Content"`

	TransactionSources []string `var:"LEVY_TRANSACTION_SOURCES" placeholder:"NAME" help:"Further values of source for transactions, products and customers: capital letters, digits, underscores." group:"Records"`

	WebhookHosts []string `var:"LEVY_WEBHOOK_HOSTS" placeholder:"HOST" help:"Hosts of this installation's own network that events may be sent to, also without TLS. levy dev allows this machine." group:"Records"`

	OnboardingExpiry time.Duration `var:"LEVY_ONBOARDING_EXPIRY" default:"720h" help:"Time without an accepted write after which an onboarding expires and is undone." group:"Records"`

	Authority           string        `var:"LEVY_AUTHORITY" default:"manual" enum:"manual,simulated" help:"Where returns and registrations without an adapter go: manual waits for people, simulated is the sandbox of test organizations." group:"Filing"`
	SandboxDelay        time.Duration `var:"LEVY_SANDBOX_DELAY" default:"1s" help:"Time that the simulated authority takes to decide." group:"Filing"`
	SandboxFaults       string        `var:"LEVY_SANDBOX_FAULTS" placeholder:"reject/20,timeout/5,outage/10" help:"Faults of the simulated authority: one of that many submissions is rejected, loses its answer, or finds it closed." group:"Filing"`
	SimplifiedReturns   []string      `var:"LEVY_SIMPLIFIED_RETURNS" placeholder:"MI" help:"Streamlined states whose sandbox takes the simplified electronic returns of test organizations; none: the simulated authority." group:"Filing"`
	SimplifiedSOAP      bool          `name:"simplified-soap" var:"LEVY_SIMPLIFIED_SOAP" help:"These sandboxes are reached by SOAP, which each worker serves on this machine; off: inside the process." group:"Filing"`
	SimplifiedServices  []string      `var:"LEVY_SIMPLIFIED_SERVICES" placeholder:"MI=https://...,TN=UPLOAD" help:"Streamlined states that take the simplified electronic returns of organizations that are not for tests: the address of their web service, or UPLOAD where people upload the file at a web site. None: people file these returns." group:"Filing"`
	SimplifiedPasswords Secret        `var:"LEVY_SIMPLIFIED_PASSWORDS" placeholder:"S00004711@org_...:PASSWORD[ ...]" help:"Passwords by which organizations sign in at these web services, each with its Streamlined id." group:"Filing"`
	SimplifiedCA        []string      `name:"simplified-ca" var:"LEVY_SIMPLIFIED_CA" placeholder:"FILE,MI=FILE" help:"Certificates (PEM) of the authorities that may sign those of the web services, for one state or for all others; default: those of the system." group:"Filing"`
	SimplifiedCert      []string      `var:"LEVY_SIMPLIFIED_CERT" placeholder:"FILE,MI=FILE" help:"Certificate (PEM) that this process shows to the web service of a state, or to all others." group:"Filing"`
	SimplifiedKey       []string      `var:"LEVY_SIMPLIFIED_KEY" placeholder:"FILE,MI=FILE" help:"Key (PEM) of that certificate." group:"Filing"`

	VATReturns         bool          `var:"LEVY_VAT_RETURNS" help:"VAT returns of test organizations to the United Kingdom go to a sandbox of its VAT API, which each process serves on its own machine; off: the simulated authority." group:"Filing"`
	FilingLookbackUnit time.Duration `var:"LEVY_FILING_LOOKBACK_UNIT" default:"24h" help:"Time from the end of a period to the automatic approval of its return, times filing_lookback_periods of the organization." group:"Filing"`
	NexusApproaching   int           `var:"LEVY_NEXUS_APPROACHING" default:"80" help:"Percentage of a nexus threshold from which on it counts as approached." group:"Records"`

	RateLimit      int `var:"LEVY_RATE_LIMIT" default:"10000" help:"Calls per minute by the keys of one organization, to all API processes together." group:"Limits"`
	RateBurst      int `var:"LEVY_RATE_BURST" default:"500" help:"Calls of one organization that may come at once." group:"Limits"`
	RateConcurrent int `var:"LEVY_RATE_CONCURRENT" default:"200" help:"Calls of one organization that may be under way at the same time in each API process." group:"Limits"`

	ImportLimit int64 `var:"LEVY_IMPORT_LIMIT" default:"1024" help:"Largest file of an import, in MiB." group:"Limits"`

	StorageQuota       int64 `var:"LEVY_STORAGE_QUOTA" default:"20480" help:"What a partner and its clients may store, in MiB: documents of exemptions, letters of notices, and files of unfinished imports." group:"Limits"`
	OrganizationsQuota int   `var:"LEVY_ORGANIZATIONS_QUOTA" default:"10000" help:"Organizations that a partner may make in 24 hours." group:"Limits"`

	LogLevel     logLevel `var:"LEVY_LOG_LEVEL" default:"info" help:"debug, info, warn or error." group:"Observation"`
	LogFormat    string   `var:"LEVY_LOG_FORMAT" default:"json" enum:"json,text" help:"json or text." group:"Observation"`
	OTLPEndpoint string   `var:"OTEL_EXPORTER_OTLP_ENDPOINT" placeholder:"URL" help:"Where traces go; empty: nowhere. Other OTEL_ variables apply too." group:"Observation"`
}

// logLevel is a level of the log by its name.
type logLevel slog.Level

// UnmarshalText reads the name.
func (l *logLevel) UnmarshalText(text []byte) error {
	if (*slog.Level)(l).UnmarshalText(text) != nil {
		return fmt.Errorf("%q is none of debug, info, warn and error", text)
	}
	return nil
}

func (l logLevel) String() string { return slog.Level(l).String() }

// logger writes the log of a process as it is configured.
func (c Config) logger(to io.Writer) *slog.Logger {
	return telemetry.NewLogger(to, slog.Level(c.LogLevel), c.LogFormat)
}

// Secret is a value that never appears in logs or error messages.
type Secret string

const hidden = "(hidden)"

func (s Secret) String() string {
	if s == "" {
		return ""
	}
	return hidden
}

// GoString hides the value from %#v.
func (s Secret) GoString() string { return s.String() }

// MarshalText hides the value from JSON and other encoders.
func (s Secret) MarshalText() ([]byte, error) { //nolint:unparam // encoding.TextMarshaler wants the error
	return []byte(s.String()), nil
}

// LogValue hides the value from slog.
func (s Secret) LogValue() slog.Value { return slog.StringValue(s.String()) }

// Reveal returns the value for the one place that needs it.
func (s Secret) Reveal() string { return string(s) }

// need is something a command cannot do without.
type need int

const (
	needDatabase need = iota
	needTemporal
	needMasterKeys
	needHTTP
)

// validate checks what the command needs and reports all that is wrong at once.
func (c Config) validate(needs ...need) error {
	var errs []error
	for _, n := range needs {
		switch n {
		case needDatabase:
			errs = append(errs, c.validateDatabase(), positive("LEVY_STORAGE_QUOTA", int(c.StorageQuota)),
				positive("LEVY_ORGANIZATIONS_QUOTA", c.OrganizationsQuota))
		case needTemporal:
			errs = append(errs, address("LEVY_TEMPORAL_ADDRESS", c.TemporalAddress),
				present("LEVY_TEMPORAL_NAMESPACE", c.TemporalNamespace))
			errs = append(errs, positive("LEVY_WORKER_CONCURRENCY", c.WorkerConcurrency),
				positive("LEVY_NEXUS_APPROACHING", c.NexusApproaching))
		case needMasterKeys:
			errs = append(errs, present("LEVY_MASTER_KEYS", c.MasterKeys.Reveal()))
		case needHTTP:
			errs = append(errs, address("LEVY_HTTP_ADDR", c.HTTPAddr), positive("LEVY_RATE_LIMIT", c.RateLimit),
				positive("LEVY_RATE_BURST", c.RateBurst), positive("LEVY_RATE_CONCURRENT",
					c.RateConcurrent), positive("LEVY_IMPORT_LIMIT", int(c.ImportLimit)), c.validateListener(), c.validateProvider(),
				c.validatePublicURL(), c.validateMail())
		}
	}
	errs = append(errs, address("LEVY_PRIVATE_ADDR", c.PrivateAddr), c.validateSimplified())
	return errors.Join(errs...)
}

// ring reads the master keys, and what wraps data keys.
func (c Config) ring() (*secret.Ring, error) {
	ring, err := secret.ParseRing(c.MasterKeys.Reveal())
	if err != nil {
		return nil, fmt.Errorf("LEVY_MASTER_KEYS: %w", err)
	}
	if ring, err = ring.WithWrapping(c.WrappingKeys.Reveal()); err != nil {
		return nil, fmt.Errorf("LEVY_WRAPPING_KEYS: %w", err)
	}
	return ring, nil
}

func (c Config) validateDatabase() error {
	return errors.Join(
		databaseURL("LEVY_DATABASE_URL", c.DatabaseURL), positive("LEVY_DATABASE_CONNECTIONS", int(c.DatabaseConnections)),
	)
}

func databaseURL(name string, value Secret) error {
	if err := present(name, value.Reveal()); err != nil {
		return err
	}
	// The parser's message would repeat the address with its password.
	if u, err := url.Parse(value.Reveal()); err != nil ||
		(u.Scheme != "postgres" && u.Scheme != "postgresql") || u.Host == "" {
		return errors.New(name + " must have the form postgres://user:password@host:port/database")
	}
	return nil
}

func (c Config) validateListener() error {
	var errs []error
	errs = append(errs, together("LEVY_TLS", c.TLSCert, c.TLSKey))
	for _, proxy := range c.TrustedProxies {
		_, errAddr := netip.ParseAddr(proxy)
		if _, err := netip.ParsePrefix(proxy); err != nil && errAddr != nil {
			errs = append(errs, fmt.Errorf("LEVY_TRUSTED_PROXIES: %q is neither an address nor a network", proxy))
		}
	}
	return errors.Join(errs...)
}

// validateProvider checks the settings of the OpenID provider: all of them, or none.
func (c Config) validateProvider() error {
	if c.OIDCIssuer == "" {
		if c.OIDCClientID != "" || c.OIDCClientSecret != "" || c.OIDCRedirectURL != "" || len(c.OIDCDomains) > 0 {
			return errors.New("LEVY_OIDC_ISSUER must be set where other settings of the OpenID provider are")
		}
		return nil
	}
	errs := []error{
		present("LEVY_OIDC_CLIENT_ID", c.OIDCClientID), present("LEVY_OIDC_CLIENT_SECRET", c.OIDCClientSecret.Reveal()),
		safeURL("LEVY_OIDC_ISSUER", c.OIDCIssuer), safeURL("LEVY_OIDC_REDIRECT_URL", c.OIDCRedirectURL),
	}
	if !strings.HasSuffix(c.OIDCRedirectURL, service.ProviderCallbackPath) {
		errs = append(errs, errors.New("LEVY_OIDC_REDIRECT_URL must end in "+service.ProviderCallbackPath))
	}
	for _, domain := range c.OIDCDomains {
		if domain == "" || strings.ContainsAny(domain, "@ /*") {
			errs = append(errs, fmt.Errorf("LEVY_OIDC_DOMAINS: %q is no domain", domain))
		}
	}
	return errors.Join(errs...)
}

// validatePublicURL checks the address of the installation: a host, and no path of it.
func (c Config) validatePublicURL() error {
	if c.PublicURL == "" {
		return nil
	}
	if u, err := url.Parse(c.PublicURL); err == nil && u.Path != "" && u.Path != "/" {
		return errors.New("LEVY_PUBLIC_URL must have no path")
	}
	return safeURL("LEVY_PUBLIC_URL", c.PublicURL)
}

// safeURL refuses addresses that others could listen to: without TLS only this machine is reached.
func safeURL(name, value string) error {
	u, err := url.Parse(value)
	if err != nil || u.Host == "" || u.RawQuery != "" || u.Fragment != "" {
		return fmt.Errorf("%s must be an address such as https://levy.example.com", name)
	}
	if u.Scheme == "https" || u.Scheme == "http" && webhook.OfThisMachine(u.Hostname()) {
		return nil
	}
	return fmt.Errorf("%s must begin with https://", name)
}

// onboardingRules are those of the contract with the expiry of this installation.
func (c Config) onboardingRules() models.OnboardingRules {
	rules := models.DefaultOnboardingRules()
	if c.OnboardingExpiry > 0 {
		rules.Expiry = c.OnboardingExpiry
	}
	return rules
}

func present(name, value string) error {
	if strings.TrimSpace(value) == "" {
		return fmt.Errorf("%s must be set", name)
	}
	return nil
}

// together refuses a certificate without its key, and the reverse.
func together(name, cert, key string) error {
	if (cert == "") != (key == "") {
		return fmt.Errorf("%s_CERT and %s_KEY go together", name, name)
	}
	return nil
}

func positive(name string, n int) error {
	if n <= 0 {
		return fmt.Errorf("%s must be positive", name)
	}
	return nil
}

func address(name, value string) error {
	if err := present(name, value); err != nil {
		return err
	}
	if _, port, err := net.SplitHostPort(value); err != nil || port == "" {
		return fmt.Errorf("%s must be HOST:PORT, not %q", name, value)
	}
	return nil
}
