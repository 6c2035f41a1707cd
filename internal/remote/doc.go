// Package remote downloads published files: only when they have changed, within limits, and from where it stopped.
package remote
