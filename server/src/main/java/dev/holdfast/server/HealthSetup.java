package dev.holdfast.server;

import dev.holdfast.internal.engine.LockEngine;
import dev.holdfast.server.admin.StoreFacts;
import dev.holdfast.server.guard.GuardService;
import dev.holdfast.server.health.CertificateCheck;
import dev.holdfast.server.health.DiskCheck;
import dev.holdfast.server.health.HealthChecks;
import dev.holdfast.server.health.HealthPart;
import dev.holdfast.server.health.WriteTrials;
import dev.holdfast.server.observe.audit.AuditConfig;
import dev.holdfast.server.observe.load.StoreOutcomes;
import dev.holdfast.spi.EventLog;
import dev.holdfast.spi.RecordStore;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.function.DoubleSupplier;
import java.util.function.IntSupplier;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Names what is looked at to know whether a server is well, and what of its store admins are shown. */
final class HealthSetup {
    private static final Pattern FILE = Pattern.compile("(?i)(?:jdbc:)?(?:sqlite|file):([^?]*)");

    private final ServerOptions config;
    private final RecordStore store;
    private final LockEngine engine;
    private final StoreOutcomes outcomes;
    private final DiskCheck disk;

    HealthSetup(ServerOptions config, RecordStore store, LockEngine engine, StoreOutcomes outcomes) {
        this.config = config;
        this.store = store;
        this.engine = engine;
        this.outcomes = outcomes;
        this.disk = new DiskCheck(
                places(config), config.observe().watching().health().minFree());
    }

    HealthChecks checks(
            StateParts state,
            GuardService guard,
            Supplier<Optional<CertificateCheck.InUse>> certificate,
            Supplier<Optional<String>> notReady) {
        return new HealthChecks(new HealthChecks.Subjects(
                engine,
                config.observe().node(),
                store.traits().name(),
                config.observe().watching().health(),
                ServerVitals.isCostly(store.traits()) ? WriteTrials.COSTLY : WriteTrials.USUAL,
                disk,
                new CertificateCheck(certificate, Clock.systemUTC()),
                () -> ServerVitals.clockError(store.clock()),
                outcomes,
                state::health,
                () -> guard(guard),
                this::history,
                notReady));
    }

    StoreFacts facts(StateParts state, IntSupplier waiting) {
        return new StoreFacts(engine, store, outcomes, disk, state::kind, waiting);
    }

    private static HealthPart guard(GuardService guard) {
        if (!guard.isEnabled()) {
            return HealthPart.off(HealthPart.Name.GUARD, "It is switched off (guard.enabled).");
        }
        return guard.trouble()
                .map(why -> HealthPart.down(HealthPart.Name.GUARD, why))
                .orElseGet(() -> HealthPart.up(
                        HealthPart.Name.GUARD,
                        guard.recordsOnly() ? "It works, and only records what it would stop." : "It works."));
    }

    private CompletableFuture<HealthPart> history() {
        HealthPart.Name name = HealthPart.Name.HISTORY;
        if (!config.engine().history()) {
            return CompletableFuture.completedFuture(HealthPart.off(name, "No events are kept (history.enabled)."));
        }
        if (!(store instanceof EventLog log)) {
            return CompletableFuture.completedFuture(HealthPart.off(name, "This store keeps no events."));
        }
        return engine.events(EventLog.EventQuery.newest(1))
                .thenApply(events -> log.lost() == 0
                        ? HealthPart.up(name, "Events can be read.")
                        : HealthPart.warn(
                                name, log.lost() + " events could not be kept since the start of this server."));
    }

    // ---- disks

    /** What is free, in bytes, where it cannot do without; NaN where nothing is kept on this machine, or nobody can tell. */
    static DoubleSupplier leastFree(ServerOptions config) {
        DiskCheck disks = new DiskCheck(places(config), 0);
        return () -> {
            OptionalLong free = disks.leastFree();
            return free.isPresent() ? free.getAsLong() : Double.NaN;
        };
    }

    static List<DiskCheck.Place> places(ServerOptions config) {
        Optional<AuditConfig> audit = config.observe().audit();
        return Stream.of(
                        place("the store", file(config.store()), true),
                        place("state", config.state().store().flatMap(HealthSetup::file), true),
                        place("the guard", config.guard().store().flatMap(HealthSetup::file), false),
                        place(
                                "the audit",
                                audit.flatMap(AuditConfig::file),
                                audit.filter(AuditConfig::required).isPresent()),
                        place("the log", config.observe().watching().logFile(), false))
                .flatMap(Optional::stream)
                .toList();
    }

    private static Optional<DiskCheck.Place> place(String what, Optional<Path> path, boolean needed) {
        return path.map(there -> new DiskCheck.Place(what, there, needed));
    }

    /** The file or directory a URL names; empty for what is elsewhere. */
    static Optional<Path> file(String url) {
        try {
            return Optional.of(FILE.matcher(url)).filter(Matcher::lookingAt).map(found -> Path.of(found.group(1)));
        } catch (InvalidPathException e) {
            return Optional.empty(); // the store itself says what is wrong with it
        }
    }
}
