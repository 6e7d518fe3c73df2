package dev.holdfast.cli.admin;

import dev.holdfast.Attempt;
import dev.holdfast.ClientConfig;
import dev.holdfast.Holder;
import dev.holdfast.Lease;
import dev.holdfast.LockClient;
import dev.holdfast.LockService;
import dev.holdfast.LockView;
import dev.holdfast.Stores;
import dev.holdfast.cli.text.ExitCodes;
import dev.holdfast.internal.engine.EngineConfig;
import dev.holdfast.internal.engine.LockEngine;
import dev.holdfast.jdbc.LockTable;
import dev.holdfast.model.LockKey;
import dev.holdfast.spi.RecordStore;
import dev.holdfast.spi.StoreException;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/**
 * Takes over the locks that are still held in a table an application has made itself, so that nobody who uses Holdfast gets them
 * before they end there. Each is held by the owner the table names, until the time it names, and by nobody's lease id: who it was
 * cannot renew or release it here. All or none: one that is held here already stands against all.
 */
record TableAdoption(LockTable table, MigrationOptions options, PrintWriter out, PrintWriter err) {
    private static final String MARK = "adopted_from";
    private static final Duration SHORTEST = Duration.ofMillis(100);
    private static final Duration LONGEST = Duration.ofHours(24);

    /** Opens the target once the table is read; it is closed at the end. */
    int run(Supplier<RecordStore> target) {
        List<LockTable.Held> held = table.held();
        out.println(held.size() + " held in table '" + table.name() + "'");
        LockEngine engine = LockEngine.start(target.get(), EngineConfig.DEFAULT);
        try (LockClient locks = LockService.of(engine).client(ClientConfig.DEFAULT)) {
            List<LockTable.Held> due = new ArrayList<>();
            List<String> against = new ArrayList<>();
            for (LockTable.Held row : held) {
                judge(row, locks.inspect().get(LockKey.of(LockKey.DEFAULT_NAMESPACE, row.lock())), due, against);
            }
            if (!against.isEmpty()) {
                against.forEach(err::println);
                err.println(options.dryRun ? "It would be refused" : "Refused; nothing was written");
                return ExitCodes.CHECK_SAID_NO;
            }
            return options.dryRun ? told(due) : adopt(engine, due);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            err.println("Interrupted; run it again");
            return ExitCodes.FAILURE;
        }
    }

    private void judge(LockTable.Held row, LockView here, List<LockTable.Held> due, List<String> against) {
        if (here.isFree()) {
            due.add(row);
            return;
        }
        Holder holder = here.holders().get(0);
        if (table.name().equals(holder.metadata().get(MARK)) && holder.owner().equals(row.owner())) {
            out.println("'" + row.lock() + "' was adopted before");
        } else {
            against.add("Lock '" + row.lock() + "' is held by '" + row.owner() + "' in the table and by '"
                    + holder.owner() + "' here. End one of them first: holdfast explain " + row.lock());
        }
    }

    private int told(List<LockTable.Held> due) {
        due.forEach(row -> out.println("would adopt " + shown(row)));
        out.println("dry run: nothing is in the way; nothing was written");
        return ExitCodes.OK;
    }

    private int adopt(LockEngine engine, List<LockTable.Held> due) throws InterruptedException {
        boolean all = true;
        for (LockTable.Held row : due) {
            all &= adopt(engine, row);
        }
        if (!all) {
            err.println("Not all of it was adopted. Run this again");
            return ExitCodes.CHECK_SAID_NO;
        }
        out.println("adopted " + due.size() + " into " + Stores.masked(options.target)
                + ". Stop the programs that lock in the table: what they do there from now on is not seen here");
        return ExitCodes.OK;
    }

    private boolean adopt(LockEngine engine, LockTable.Held row) throws InterruptedException {
        // Not closed: that would close the engine, and the lease stays.
        LockClient as = LockService.of(engine).client(ClientConfig.DEFAULT.withOwner(row.owner()));
        try {
            Attempt<Lease> taken = as.tryAcquire(
                    LockKey.of(LockKey.DEFAULT_NAMESPACE, row.lock()),
                    o -> o.lease(within(row.left()))
                            .withoutRenewal()
                            .metadata(MARK, table.name())
                            .reason("held in table " + table.name() + " when it was adopted"));
            if (taken instanceof Attempt.Done) {
                out.println("adopted " + shown(row));
                return true;
            }
            err.println("Lock '" + row.lock() + "' was taken here meanwhile and is not adopted");
        } catch (StoreException e) {
            err.println("Lock '" + row.lock() + "' is not adopted: " + e.getMessage());
        }
        return false;
    }

    private static Duration within(Duration left) {
        return left.compareTo(SHORTEST) < 0 ? SHORTEST : left.compareTo(LONGEST) > 0 ? LONGEST : left;
    }

    private static String shown(LockTable.Held row) {
        boolean cut = row.left().compareTo(LONGEST) > 0;
        return "'" + row.lock() + "' of '" + row.owner() + "' for another "
                + within(row.left()).toSeconds() + " s"
                + (cut ? " (the longest there is; it is held longer in the table)" : "");
    }
}
