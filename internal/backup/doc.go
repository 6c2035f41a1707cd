// Package backup takes base backups of a PostgreSQL cluster, keeps its WAL, and restores both, by PostgreSQL's own programs. A
// backup is a folder, or a part of a bucket: the cluster in one compressed archive, and what it is in the file levy-backup.json.
// Earlier releases put the files of the cluster into a folder, data. A backup is verified by restoring it elsewhere and starting a
// server on it.
package backup
