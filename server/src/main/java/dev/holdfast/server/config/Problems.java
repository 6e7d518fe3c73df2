package dev.holdfast.server.config;

import dev.holdfast.server.config.settings.Setting;
import dev.holdfast.server.config.values.ValueRefusal;
import java.util.ArrayList;
import java.util.List;

/** Collects what is wrong, so that all of it is told at once; and what is only worth saying. */
final class Problems {
    /** A wrong file can have thousands; nobody reads them. */
    private static final int MOST = 100;

    private final List<String> problems = new ArrayList<>();
    private final List<String> notes = new ArrayList<>();
    private int more;

    void add(String problem) {
        if (problems.contains(problem)) {
            return;
        }
        if (problems.size() < MOST) {
            problems.add(problem);
        } else {
            more++;
        }
    }

    void refused(Layer.SourceValue given, ValueRefusal refusal) {
        Setting<?> setting = given.setting();
        boolean repeated = !setting.isSecret() && setting.kind().mayBeRepeated(given.value());
        for (ValueRefusal.Detail detail : refusal.details()) {
            String was = detail.was().map(part -> ", was " + part).orElse("");
            if (detail.path().isEmpty() && was.isEmpty() && repeated) {
                was = ", was " + given.value().described();
            }
            add(setting.name() + detail.path() + " (" + given.origin() + ") " + detail.rule() + was);
        }
    }

    void note(String note) {
        notes.add(note);
    }

    List<String> notes() {
        return List.copyOf(notes);
    }

    void throwIfAny() {
        if (problems.isEmpty()) {
            return;
        }
        List<String> all = new ArrayList<>(problems);
        if (more > 0) {
            all.add("and " + more + " more");
        }
        throw new ConfigProblems(all);
    }
}
