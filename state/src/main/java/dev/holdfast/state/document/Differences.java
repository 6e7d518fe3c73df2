package dev.holdfast.state.document;

import dev.holdfast.wire.json.Json;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/** Compares two documents: first by the hashes of their units, then inside those that differ. */
final class Differences {
    /** Most units listed. */
    private static final int MAX_CHANGES = 10_000;
    /** Most attributes listed of one unit. */
    private static final int MAX_ATTRIBUTES = 200;

    /** Most attributes listed of all units together: an answer has to fit into somebody's memory. */
    private static final int MAX_LISTED = 50_000;
    /** Not a value, but the list of what is one that must not be shown. */
    private static final String MARKS = "sensitive_attributes";

    private int listed;

    private Differences() {}

    static StateDiff between(byte[] from, byte[] to, CancellableWork work) {
        return new Differences().compare(from, to, work);
    }

    private StateDiff compare(byte[] from, byte[] to, CancellableWork work) {
        Map<String, ComparisonUnits.Unit> before = ComparisonUnits.of(from, work);
        Map<String, ComparisonUnits.Unit> after = ComparisonUnits.of(to, work);
        Set<String> addresses = new TreeSet<>(before.keySet());
        addresses.addAll(after.keySet());
        List<StateDiff.ResourceChange> changes = new ArrayList<>();
        for (String address : addresses) {
            work.step();
            ComparisonUnits.Unit old = before.get(address);
            ComparisonUnits.Unit now = after.get(address);
            if (old != null && now != null && old.hash().equals(now.hash())) {
                continue;
            }
            if (changes.size() == MAX_CHANGES) {
                return new StateDiff(changes, false);
            }
            changes.add(change(address, Optional.ofNullable(old), Optional.ofNullable(now)));
        }
        return new StateDiff(changes, true);
    }

    private StateDiff.ResourceChange change(
            String address, Optional<ComparisonUnits.Unit> old, Optional<ComparisonUnits.Unit> now) {
        StateDiff.Kind kind =
                old.isEmpty() ? StateDiff.Kind.ADDED : now.isEmpty() ? StateDiff.Kind.REMOVED : StateDiff.Kind.CHANGED;
        if (listed >= MAX_LISTED) {
            return new StateDiff.ResourceChange(address, kind, List.of(), false);
        }
        Optional<Json> before = old.flatMap(ComparisonUnits.Unit::value);
        Optional<Json> after = now.flatMap(ComparisonUnits.Unit::value);
        boolean tooLarge = before.isPresent() != old.isPresent() || after.isPresent() != now.isPresent();
        if (tooLarge) {
            return new StateDiff.ResourceChange(address, kind, List.of(), true);
        }
        Set<String> secret = new HashSet<>();
        before.ifPresent(it -> secret.addAll(Secrets.declared(it)));
        after.ifPresent(it -> secret.addAll(Secrets.declared(it)));
        boolean hidden = Secrets.isSecret(address);
        UnitValues was = leaves(before, secret, hidden);
        UnitValues is = leaves(after, secret, hidden);
        if (was.tooMany() || is.tooMany()) {
            return new StateDiff.ResourceChange(address, kind, List.of(), true);
        }
        StateDiff.ResourceChange change = compared(address, kind, was.found(), is.found());
        listed += change.attributes().size();
        return change;
    }

    private static UnitValues leaves(Optional<Json> unit, Set<String> secret, boolean hidden) {
        UnitValues none = new UnitValues(secret);
        return unit.map(it -> none.of(it, hidden)).orElse(none);
    }

    private static StateDiff.ResourceChange compared(
            String address, StateDiff.Kind kind, Map<String, UnitValues.Leaf> was, Map<String, UnitValues.Leaf> is) {
        Set<String> paths = new TreeSet<>(was.keySet());
        paths.addAll(is.keySet());
        List<StateDiff.Attribute> attributes = new ArrayList<>();
        for (String path : paths) {
            Optional<UnitValues.Leaf> a = Optional.ofNullable(was.get(path));
            Optional<UnitValues.Leaf> b = Optional.ofNullable(is.get(path));
            boolean mark = kind != StateDiff.Kind.CHANGED && path.startsWith(MARKS);
            if (mark || a.map(UnitValues.Leaf::value).equals(b.map(UnitValues.Leaf::value))) {
                continue;
            }
            if (attributes.size() == MAX_ATTRIBUTES) {
                return new StateDiff.ResourceChange(address, kind, attributes, false);
            }
            // What is secret on one side is on the other: a value may become one, or stop being one, while it stays the
            // same.
            boolean secret = a.map(UnitValues.Leaf::secret).orElse(false)
                    || b.map(UnitValues.Leaf::secret).orElse(false);
            attributes.add(new StateDiff.Attribute(path, a.map(it -> it.shown(secret)), b.map(it -> it.shown(secret))));
        }
        return new StateDiff.ResourceChange(address, kind, attributes, true);
    }
}
