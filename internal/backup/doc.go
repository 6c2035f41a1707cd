// Package backup takes base backups of a PostgreSQL cluster, keeps its WAL, and restores both, by
// PostgreSQL's own programs. A backup is a folder: the cluster in data, and what it is in the file
// levy-backup.json. In an object store the cluster is one compressed archive beside that file. A backup
// is verified by restoring it elsewhere and starting a server on it.
package backup
