package dev.holdfast.test.example;

import dev.holdfast.Attempt;
import dev.holdfast.Lease;
import dev.holdfast.LockClient;
import dev.holdfast.model.Token;
import dev.holdfast.spi.StoreException;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;

/** Code as users have it: a job that only one instance of a service does, page by page. */
final class NightlyExport {
    enum Result {
        EXPORTED,
        ALREADY_RUNNING,
        GIVEN_UP,
        TRY_LATER
    }

    private final LockClient locks;
    private final List<String> pages;
    private final Consumer<String> target;

    NightlyExport(LockClient locks, List<String> pages, Consumer<String> target) {
        this.locks = locks;
        this.pages = pages;
        this.target = target;
    }

    Result run() throws InterruptedException {
        try {
            Attempt<Token> attempt =
                    locks.tryExecute("nightly-export", o -> o.waitUpTo(Duration.ofSeconds(5)), this::export);
            return attempt.fold(done -> Result.EXPORTED, busy -> Result.ALREADY_RUNNING, lost -> Result.GIVEN_UP);
        } catch (StoreException e) {
            return Result.TRY_LATER;
        }
    }

    private void export(Lease lease) {
        for (String page : pages) {
            if (!lease.isValid()) {
                return;
            }
            target.accept(page);
        }
    }
}
