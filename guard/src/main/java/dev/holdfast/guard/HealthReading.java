package dev.holdfast.guard;

/** What one look at an app says about it, when it is decided whether to stop what it uses. */
enum HealthReading {
    /** It answered, so it runs. */
    RUNS,
    /** It answered that it does not work. */
    FAILS,
    /** Nobody listens where it should. */
    REFUSES,
    /** No answer, or one of which nobody can say what it means. */
    UNCLEAR
}
