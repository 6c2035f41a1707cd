package main

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"os"

	sdkclient "go.temporal.io/sdk/client"
	sdklog "go.temporal.io/sdk/log"
)

// temporalTLS is how Temporal is reached: nil for plainly. Errors: a file that cannot be read or holds
// something else, half a pair, and an API key without TLS. The same files are read anew by every
// process that starts.
func (c Config) temporalTLS() (*tls.Config, error) {
	if (c.TemporalCert == "") != (c.TemporalKey == "") {
		return nil, errors.New("LEVY_TEMPORAL_CERT and LEVY_TEMPORAL_KEY go together")
	}
	if !c.TemporalTLS && c.TemporalCA == "" && c.TemporalCert == "" && c.TemporalName == "" {
		if c.TemporalAPIKey != "" {
			return nil, errors.New("LEVY_TEMPORAL_API_KEY is sent by TLS only: set LEVY_TEMPORAL_TLS")
		}
		return nil, nil
	}
	connection := &tls.Config{MinVersion: tls.VersionTLS12, ServerName: c.TemporalName}
	if c.TemporalCA != "" {
		pem, err := os.ReadFile(c.TemporalCA)
		if err != nil {
			return nil, fmt.Errorf("LEVY_TEMPORAL_CA: %w", err)
		}
		connection.RootCAs = x509.NewCertPool()
		if !connection.RootCAs.AppendCertsFromPEM(pem) {
			return nil, fmt.Errorf("LEVY_TEMPORAL_CA: %s has no certificate", c.TemporalCA)
		}
	}
	if c.TemporalCert != "" {
		pair, err := tls.LoadX509KeyPair(c.TemporalCert, c.TemporalKey)
		if err != nil {
			return nil, fmt.Errorf("LEVY_TEMPORAL_CERT, LEVY_TEMPORAL_KEY: %w", err)
		}
		connection.Certificates = []tls.Certificate{pair}
	}
	return connection, nil
}

// dialPlain connects to Temporal for what has no payloads: settings of the namespace, schedules.
func (c Config) dialPlain(ctx context.Context, log sdklog.Logger) (sdkclient.Client, error) {
	connection, err := c.temporalTLS()
	if err != nil {
		return nil, err
	}
	options := sdkclient.Options{
		HostPort: c.TemporalAddress, Namespace: c.TemporalNamespace, Logger: log,
		ConnectionOptions: sdkclient.ConnectionOptions{TLS: connection},
	}
	if c.TemporalAPIKey != "" {
		options.Credentials = sdkclient.NewAPIKeyStaticCredentials(c.TemporalAPIKey.Reveal())
	}
	return sdkclient.DialContext(ctx, options)
}
