package main

// mutantsOfSecrets are the guards of master keys, erasure, backups and releases.
var mutantsOfSecrets = []mutant{
	{
		"release: files count only if the publisher signed their digests",
		swap("!trusted", "!trusted && len(keys) == 0"),
		"TestAChangedReleaseIsRefused",
	},
	{
		"release: each file has the digest that was signed",
		swap("got != want", "len(got) != len(want)"),
		"TestAChangedReleaseIsRefused",
	},
	{
		"master keys: a key with the id of another one is refused",
		never,
		"TestAProcessWithoutANeededKeyDoesNotStart",
	},
	{
		"master keys: a command that makes keys records those that hash them",
		never,
		"TestTheFirstCommandRecordsItsMasterKey",
	},
	{
		"master keys: a retired one makes nothing new",
		never,
		"TestAMasterKeyIsRetired",
	},
	{
		"master keys: a process does not start without a key that stored values need",
		never,
		"TestAProcessWithoutANeededKeyDoesNotStart",
	},
	{
		"master keys: a process whose key is not the newest one hashes nothing again",
		swap("newest == ring.Current()", `newest != ""`),
		"TestOnlyTheNewestKeyReplacesHashes",
	},
	{
		"master keys: a hash is named only where there was never another key",
		swap(" || !single", ""),
		"TestHashesOfTheReleaseBeforeGetTheirKey",
	},
	{
		"master keys: a process whose key was retired ends",
		never,
		"TestAProcessLearnsThatItsKeyWasRetired",
	},
	{
		"master keys: one in front is not retired",
		swap("AND (in_front_at IS NULL OR in_front_at <= now() - $3::interval)", "AND $3::interval IS NOT NULL"),
		"TestAMasterKeyIsRetired",
	},
	{
		"master keys: one that something needs is not retired",
		never,
		"TestANeededKeyIsNotRetired",
	},
	{
		"payloads: what people entered is only read where a proof says who they are",
		never,
		"TestPayloadsInClearTextAreRefused",
	},
	{
		"erasure: an answer that was erased is not opened",
		never,
		"TestAnswersWithTaxIDsAreSealed",
	},
	{
		"saved keys: what came after the file stays",
		never,
		"TestRestoredWrappedKeysKeepErasedDataErased",
	},
	{
		"saved keys: a database that was restored to before a file does not overwrite it",
		never,
		"TestRestoredWrappedKeysKeepErasedDataErased",
	},
	{
		"backups: an incremental one is not put onto another backup than its own",
		swap("below.Archive == nil || below.Archive.SHA256 != base.SHA256", "false"),
		"TestAChainOfBackupsIsWholeOrRefused",
	},
	{
		"backups: one on which a kept one rests is not removed",
		swap("kept[name] != nil", "slices.Index(names, name) >= len(names)-keep"),
		"TestABackupOnWhichAKeptOneRestsStays",
	},
	{
		"backups: an archive that was changed is not restored",
		never,
		"TestAnObjectThatIsMissingOrWasChangedIsNotRestored",
	},
	{
		"backups: a list that was changed is told before a backup rests on it",
		swap("!bytes.Equal(beside, inArchive)", "false"),
		"TestAChangedListIsTold",
	},
	{
		"backups: a reference with a password or a signed address is not recorded",
		never,
		"TestABackupOfAnotherProgramCounts",
	},
	{
		"backups: WAL that is there is not replaced by other WAL",
		never,
		"TestTheWALOfAnotherServerIsNotReplaced",
	},
	{
		"backups: part of a segment is not replaced by that of another server",
		never,
		"TestWALIsPutIntoTheArchiveInSegments",
	},
	{
		"saved keys: a database that processes use is not changed under them",
		swap("!others", "true"),
		"TestRestoredWrappedKeysKeepErasedDataErased",
	},
	{
		"payloads: one that was sealed for another workflow is not read",
		never,
		"TestCodec",
	},
	{
		"erasure: no saved view names who was erased",
		swap("named", "named[:0]"),
		"TestSavedViewsThatNameAnErasedSubjectAreDeleted",
	},
}
