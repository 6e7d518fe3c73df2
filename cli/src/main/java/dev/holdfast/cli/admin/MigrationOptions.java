package dev.holdfast.cli.admin;

import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

final class MigrationOptions {
    @Option(names = "--to", required = true, paramLabel = "URL", description = "The store to copy into.")
    String target = "";

    @Mixin
    DocumentPlaces documents;

    @Option(names = "--dry-run", description = "Only count, and say what is in the way; nothing is written.")
    boolean dryRun;

    @Option(
            names = "--allow-held",
            description = "Also copy locks that are held. They keep their lease ids and expiry times: a holder that now"
                    + " connects to the new store can renew and release; one that stays on the old store is"
                    + " not seen in the new one, where its lock ends at that time. Only the token protects"
                    + " against such a holder.")
    boolean allowHeld;

    @Option(
            names = "--replace-documents",
            description = "Replace documents of the target that differ, such as those of an earlier run after which the"
                    + " source was used. Documents that only the target has are left alone, and named. Without"
                    + " this option both cases are refused.")
    boolean replaceDocuments;

    @Option(
            names = "--without-history",
            description = "Leave the history behind: for a target that has one of its own, or keeps none.")
    boolean withoutHistory;
}
