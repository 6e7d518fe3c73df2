package dev.holdfast.state.store;

import dev.holdfast.documents.DocumentHead;
import dev.holdfast.model.LeaseId;
import dev.holdfast.state.document.DocumentScan;
import dev.holdfast.state.versions.HistoryPage;
import dev.holdfast.state.versions.LoadedState;
import dev.holdfast.state.versions.Provenance;
import dev.holdfast.state.versions.RestoreOutcome;
import dev.holdfast.state.versions.SaveOutcome;
import dev.holdfast.state.versions.Stack;
import dev.holdfast.state.versions.StateRefusal;
import dev.holdfast.state.versions.StateVersion;
import java.util.Optional;

/** Makes an earlier version current again, as a new version. */
public record Restores(OwnLock ownLock, Commits commits, VersionReader reading, Saves saves, long limit) {
    /** Versions per page while the highest serial is looked for. */
    private static final int PAGE = 1_000;

    /** Restores it, over what must still be current, where that is checked. */
    public RestoreOutcome restore(Stack stack, Optional<Saves.Base> over, LoadedState from, Provenance by) {
        return ownLock.run(
                stack,
                by,
                "restores state " + from.version().version(),
                lease -> under(stack, lease.leaseId(), over, from, by),
                it -> it);
    }

    private RestoreOutcome under(
            Stack stack, LeaseId leaseId, Optional<Saves.Base> over, LoadedState from, Provenance by) {
        byte[] bytes = DocumentScan.of(from.content()).withSerial(from.content(), topSerial(stack) + 1);
        DocumentToSave incoming = DocumentToSave.checked(stack, bytes, limit);
        SaveOutcome outcome = saves.save(new Saves.SaveRequest(stack, leaseId, over, incoming, by));
        if (outcome instanceof StateRefusal refused) {
            return refused.reason() == StateRefusal.Reason.CONFLICT
                    ? Refusals.changedSinceSeen(stack, over.flatMap(Saves.Base::version))
                    : refused;
        }
        StateVersion made = outcome instanceof SaveOutcome.Saved saved
                ? saved.version()
                : ((SaveOutcome.Repeated) outcome).version();
        return new RestoreOutcome.Restored(made, from.version());
    }

    /** The highest serial any version had; looked for in the history if the current document does not say. */
    private long topSerial(Stack stack) {
        Optional<DocumentHead> head = commits.look(stack);
        long top = commits.topSerial(stack, head);
        if (head.map(it -> it.attributes().containsKey(Attributes.TOP_SERIAL)).orElse(false)) {
            return top;
        }
        commits.preserve(stack, head);
        Optional<String> below = Optional.empty();
        do {
            HistoryPage page = reading.history(stack, PAGE, below);
            top = page.versions().stream().mapToLong(StateVersion::serial).reduce(top, Math::max);
            below = page.next();
        } while (below.isPresent());
        return top;
    }
}
