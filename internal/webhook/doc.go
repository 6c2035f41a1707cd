// Package webhook sends HTTP requests to addresses that clients chose, and signs them as Standard Webhooks says
// (https://www.standardwebhooks.com). An address may not lead into the network of the service: what counts is the
// address that is dialled, at each connection, whatever its name meant before.
package webhook
