package dev.holdfast.testkit.concurrent;

import dev.holdfast.concurrent.LeaderListener;
import dev.holdfast.concurrent.Term;
import dev.holdfast.concurrent.TermEnd;
import dev.holdfast.testkit.Await;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BooleanSupplier;

/** A leader's listener that keeps what it hears, for tests. Safe for any thread. */
public class HeardTerms implements LeaderListener {
    private final List<String> said = new CopyOnWriteArrayList<>();
    private final List<Term> terms = new CopyOnWriteArrayList<>();
    private final List<Exception> failures = new CopyOnWriteArrayList<>();

    @Override
    public void elected(Term term) throws Exception {
        said.add("elected");
        terms.add(term);
    }

    @Override
    public void ended(Term term, TermEnd why) {
        said.add("ended " + why + term.lostFor().map(reason -> " " + reason).orElse(""));
    }

    @Override
    public void failed(Exception failure) {
        failures.add(failure);
    }

    /** What it heard of terms, in order. */
    public List<String> said() {
        return List.copyOf(said);
    }

    public List<Exception> failures() {
        return List.copyOf(failures);
    }

    /** The term with this number, from 1; waits for it. */
    public Term term(int number) {
        until("term " + number + " begins", () -> terms.size() >= number);
        return terms.get(number - 1);
    }

    /** Waits until it has heard this. */
    public void await(String what) {
        until("'" + what + "' is heard", () -> said.contains(what));
    }

    /** Waits until something has gone wrong in this way. */
    public void awaitFailure(Class<? extends Exception> kind) {
        until(kind.getSimpleName() + " is heard", () -> failures.stream().anyMatch(kind::isInstance));
    }

    private void until(String what, BooleanSupplier condition) {
        Await.until(what, Await.LIMIT, condition, () -> ": " + this);
    }

    @Override
    public String toString() {
        return said + " " + failures;
    }
}
