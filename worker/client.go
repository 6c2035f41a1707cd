package worker

import (
	"crypto/tls"
	"fmt"
	"log/slog"

	"go.opentelemetry.io/otel/metric"
	"go.opentelemetry.io/otel/trace"
	sdkclient "go.temporal.io/sdk/client"
	"go.temporal.io/sdk/contrib/opentelemetry"
	"go.temporal.io/sdk/converter"
	sdklog "go.temporal.io/sdk/log"

	"levy/internal/twice"
)

// ClientConfig tells Dial how to reach Temporal. Tracer and Meter may be nil.
type ClientConfig struct {
	Address   string // host:port
	Namespace string
	TLS       *tls.Config // nil: plain
	APIKey    string      // the server authenticates this process by it; may be empty
	Codec     *Codec
	Names     OrganizationNames // staff find runs by them; nil: by ids alone
	Log       *slog.Logger
	Tracer    trace.Tracer
	Meter     metric.Meter
}

// dataConverter returns the converter that seals payloads for Temporal and reads sealed ones.
func dataConverter(codec *Codec) converter.DataConverter {
	return sealedOnly{converter.NewCodecDataConverter(noUIPayloads{converter.GetDefaultDataConverter()}, codec)}
}

// Dial returns a client that connects with its first call, so a process starts and accepts transactions while Temporal
// is down. The client encrypts payloads and the texts of failures.
func Dial(config ClientConfig) (sdkclient.Client, error) {
	data := dataConverter(config.Codec)
	options := sdkclient.Options{
		HostPort:         config.Address,
		Namespace:        config.Namespace,
		Logger:           sdklog.NewStructuredLogger(config.Log),
		DataConverter:    data,
		FailureConverter: newFailures(data),
		Interceptors:     twice.Interceptors(),
		ConnectionOptions: sdkclient.ConnectionOptions{
			TLS: config.TLS,
			// Payloads are compressed before they are encrypted. A second attempt costs time and saves nothing.
			GrpcCompression: &sdkclient.GrpcCompressionNone{},
		},
	}
	if config.APIKey != "" {
		options.Credentials = sdkclient.NewAPIKeyStaticCredentials(config.APIKey)
	}
	if config.Tracer != nil {
		tracing, err := opentelemetry.NewTracingInterceptor(opentelemetry.TracerOptions{
			Tracer: config.Tracer, DisableBaggage: true,
		})
		if err != nil {
			return nil, fmt.Errorf("tracing of Temporal calls: %w", err)
		}
		options.Interceptors = append(options.Interceptors, tracing)
	}
	if config.Names != nil {
		options.Interceptors = append(options.Interceptors, newNaming(config.Names, config.Log))
	}
	if config.Meter != nil {
		options.MetricsHandler = opentelemetry.NewMetricsHandler(opentelemetry.MetricsHandlerOptions{Meter: config.Meter})
	}
	client, err := sdkclient.NewLazyClient(options)
	if err != nil {
		return nil, fmt.Errorf("client of Temporal: %w", err)
	}
	return client, nil
}
