package main

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"os"
	"time"

	"go.temporal.io/api/serviceerror"
	"go.temporal.io/api/workflowservice/v1"
	sdkclient "go.temporal.io/sdk/client"
	sdklog "go.temporal.io/sdk/log"
)

// temporalTLS is how Temporal is reached: nil for plainly. Errors: a file that cannot be read or holds
// something else, half a pair, and an API key without TLS. The same files are read anew by every
// process that starts.
func (c Config) temporalTLS() (*tls.Config, error) {
	if err := together("LEVY_TEMPORAL", c.TemporalCert, c.TemporalKey); err != nil {
		return nil, err
	}
	if !c.TemporalTLS && c.TemporalCA == "" && c.TemporalCert == "" && c.TemporalName == "" {
		if c.TemporalAPIKey != "" {
			return nil, errors.New("LEVY_TEMPORAL_API_KEY is sent by TLS only: set LEVY_TEMPORAL_TLS")
		}
		return nil, nil
	}
	connection, err := clientTLS("LEVY_TEMPORAL", c.TemporalCA, c.TemporalCert, c.TemporalKey)
	if err != nil {
		return nil, err
	}
	connection.ServerName = c.TemporalName
	return connection, nil
}

// clientTLS returns how a process connects to a server with TLS, by the files of its settings with a prefix. Without ca the
// authorities of the system count; without cert it shows no certificate.
func clientTLS(name, ca, cert, key string) (*tls.Config, error) {
	connection := &tls.Config{MinVersion: tls.VersionTLS12}
	if ca != "" {
		pem, err := os.ReadFile(ca)
		if err != nil {
			return nil, fmt.Errorf("%s_CA: %w", name, err)
		}
		connection.RootCAs = x509.NewCertPool()
		if !connection.RootCAs.AppendCertsFromPEM(pem) {
			return nil, fmt.Errorf("%s_CA: %s has no certificate", name, ca)
		}
	}
	if cert != "" {
		shown, err := tls.LoadX509KeyPair(cert, key)
		if err != nil {
			return nil, fmt.Errorf("%s_CERT, %s_KEY: %w", name, name, err)
		}
		connection.Certificates = []tls.Certificate{shown}
	}
	return connection, nil
}

// dialPlain connects to Temporal for what has no payloads: settings of the namespace, schedules. It logs nothing.
// Error: why Temporal cannot be used, in a sentence.
func (c Config) dialPlain(ctx context.Context) (sdkclient.Client, error) {
	connection, err := c.temporalTLS()
	if err = errors.Join(address("LEVY_TEMPORAL_ADDRESS", c.TemporalAddress), err); err != nil {
		return nil, err
	}
	options := sdkclient.Options{
		HostPort: c.TemporalAddress, Namespace: c.TemporalNamespace,
		Logger:            sdklog.NewStructuredLogger(slog.New(slog.DiscardHandler)),
		ConnectionOptions: sdkclient.ConnectionOptions{TLS: connection},
	}
	if c.TemporalAPIKey != "" {
		options.Credentials = sdkclient.NewAPIKeyStaticCredentials(c.TemporalAPIKey.Reveal())
	}
	client, err := sdkclient.DialContext(ctx, options)
	if err != nil {
		return nil, c.explainTemporal(ctx, err)
	}
	_, err = client.WorkflowService().DescribeNamespace(ctx, &workflowservice.DescribeNamespaceRequest{
		Namespace: c.TemporalNamespace,
	})
	if err != nil {
		client.Close()
		return nil, c.explainTemporal(ctx, err)
	}
	return client, nil
}

var errTemporalAway = errors.New("Temporal does not answer at the address of LEVY_TEMPORAL_ADDRESS")

// explainTemporal says why Temporal cannot be used, where this machine can tell: gRPC says that in words of its own.
// Other errors stay as they are.
func (c Config) explainTemporal(ctx context.Context, err error) error {
	if _, missing := errors.AsType[*serviceerror.NamespaceNotFound](err); missing {
		return fmt.Errorf("Temporal has no namespace %s: correct LEVY_TEMPORAL_NAMESPACE, or create it", c.TemporalNamespace)
	}
	if _, denied := errors.AsType[*serviceerror.PermissionDenied](err); denied {
		return fmt.Errorf("Temporal does not allow this in the namespace %s: its API key or certificate may need the right to "+
			"read, write and describe (DescribeNamespace) it: %w", c.TemporalNamespace, err)
	}
	if _, busy := errors.AsType[*serviceerror.ResourceExhausted](err); busy || !unanswered(err) {
		return err
	}
	dialer := net.Dialer{Timeout: time.Second}
	conn, refused := dialer.DialContext(context.WithoutCancel(ctx), "tcp", c.TemporalAddress)
	if refused != nil {
		return fmt.Errorf("%w: %w", errTemporalAway, refused)
	}
	_ = conn.Close()
	return fmt.Errorf("what listens at %s does not answer as Temporal does: is LEVY_TEMPORAL_TLS right? %w",
		c.TemporalAddress, err)
}
