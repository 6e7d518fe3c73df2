/** Locks for processes that share something. Start at {@link dev.holdfast.LockClient}; docs/COMPATIBILITY.md says what is promised. */
@SuppressWarnings("module") // those it opens itself to are built after it
module dev.holdfast {
    requires static transitive org.jspecify;
    requires org.slf4j;
    requires com.fasterxml.jackson.core;

    exports dev.holdfast;
    exports dev.holdfast.concurrent;
    exports dev.holdfast.documents;
    exports dev.holdfast.documents.keys;
    exports dev.holdfast.failure;
    exports dev.holdfast.memory;
    exports dev.holdfast.model;
    exports dev.holdfast.spi;
    exports dev.holdfast.spi.fence;
    exports dev.holdfast.spi.time;

    // For the other modules of Holdfast.
    exports dev.holdfast.internal.engine to
            dev.holdfast.cli,
            dev.holdfast.client,
            dev.holdfast.server,
            dev.holdfast.state,
            dev.holdfast.test,
            dev.holdfast.testkit,
            dev.holdfast.wire;
    exports dev.holdfast.internal.engine.judgement to
            dev.holdfast.client,
            dev.holdfast.test,
            dev.holdfast.testkit;
    exports dev.holdfast.internal.engine.leases to
            dev.holdfast.client,
            dev.holdfast.test,
            dev.holdfast.testkit;
    exports dev.holdfast.internal.engine.machine to
            dev.holdfast.client,
            dev.holdfast.server,
            dev.holdfast.state,
            dev.holdfast.test,
            dev.holdfast.testkit;
    exports dev.holdfast.internal.rules to
            dev.holdfast.client,
            dev.holdfast.server,
            dev.holdfast.state,
            dev.holdfast.test,
            dev.holdfast.testkit;
    exports dev.holdfast.internal.loading to
            dev.holdfast.guard;
    exports dev.holdfast.internal.parts to
            dev.holdfast.aws,
            dev.holdfast.bench,
            dev.holdfast.bench.peers,
            dev.holdfast.cli,
            dev.holdfast.client,
            dev.holdfast.guard,
            dev.holdfast.jdbc,
            dev.holdfast.s3,
            dev.holdfast.server,
            dev.holdfast.state,
            dev.holdfast.testkit,
            dev.holdfast.wire;

    uses dev.holdfast.Connector;
    uses dev.holdfast.documents.DocumentFactory;
    uses dev.holdfast.documents.keys.MasterKeyFactory;
    uses dev.holdfast.spi.StoreFactory;

    provides dev.holdfast.documents.DocumentFactory with
            dev.holdfast.documents.file.FileDocumentFactory;
}
