// Package webhook sends HTTP requests to addresses that clients chose, and signs them as Standard Webhooks says
// (https://www.standardwebhooks.com). An address may not lead into the network of the service. It is checked when it is
// dialled, at each connection, because a name may change its meaning.
package webhook
