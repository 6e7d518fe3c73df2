/**
 * Holds a Holdfast lock while the steps inside run, also when they take longer than the lease: it is renewed meanwhile.
 *
 *     withHoldfastLock(lock: 'deploy:shop-production', server: 'https://locks.example.org', credentialsId: 'holdfast-token') {
 *         sh './deploy.sh production'
 *     }
 *
 * Inside 'node', on an agent that has holdfast on its PATH. The steps find HOLDFAST_FENCING_TOKEN and HOLDFAST_LEASE_ID in their
 * environment. The lock is released however they end. If it was lost meanwhile, the build fails, even if they succeeded.
 *
 *   lock           [NAMESPACE:]NAME[/PATH]; required
 *   server         URL of the server; without it HOLDFAST_SERVER of the build
 *   credentialsId  of a secret text with the API token; without it HOLDFAST_TOKEN of the build. Not shown to the steps inside
 *   lease          how soon the lock is free if the agent dies; 30s
 *   wait           how long to wait for it; 30m. '0' does not wait, '' waits as long as it takes
 *   reason         why, for whoever looks; the name and number of the build
 */
def call(Map options, Closure body) {
    def known = ['lock', 'server', 'credentialsId', 'lease', 'wait', 'reason']
    for (name in options.keySet()) {
        if (!(name in known)) {
            error("withHoldfastLock: unknown option '${name}'. There are ${known.join(', ')}.")
        }
    }
    if (!options.lock) {
        error("withHoldfastLock: name the lock, such as lock: 'deploy:shop-production'.")
    }
    def settings = [
        "HF_LOCK=${options.lock}",
        "HF_LEASE=${options.lease ?: '30s'}",
        "HF_WAIT=${options.containsKey('wait') ? options.wait : '30m'}",
        "HF_REASON=${options.reason ?: "${env.JOB_NAME} ${env.BUILD_NUMBER}"}",
        "HF_RUN=${env.BUILD_URL ?: ''}",
        "HF_HOLDS=${pwd(tmp: true)}/holdfast-${env.BUILD_NUMBER}",
    ]
    if (options.server) {
        settings << "HOLDFAST_SERVER=${options.server}"
    }
    // The cookie names what Jenkins ends together with a cancelled step; the lock must be held until the steps inside have ended.
    def functions = '#!/bin/sh\nset -eu\nexport JENKINS_SERVER_COOKIE=holdfast\n' + libraryResource('dev/holdfast/hold.sh')

    def held = connected(options, settings) {
        sh(label: "Acquire ${options.lock}", returnStdout: true,
            script: functions + '\nholdfast_acquire\necho "$HF_TOKEN $HF_LEASE_ID"\n').trim().split(' ')
    }
    def failed = true
    try {
        def result = withEnv(["HOLDFAST_FENCING_TOKEN=${held[0]}", "HOLDFAST_LEASE_ID=${held[1]}"]) { body() }
        failed = false
        return result
    } finally {
        connected(options, settings) {
            int code = sh(label: "Release ${options.lock}", returnStatus: true, script: functions + '\nholdfast_release\n')
            if (code != 0) {
                def message = "withHoldfastLock: ${options.lock} was " +
                    (code == 76 ? 'lost before it was released' : "not released (exit code ${code}), and ends with its lease")
                // A failure of the steps inside is told as it is.
                failed ? echo(message) : error(message)
            }
        }
    }
}

/** Runs it with what holdfast needs to know, and with the token, if there are credentials for it. */
private def connected(Map options, List settings, Closure work) {
    withEnv(settings) {
        if (options.credentialsId) {
            withCredentials([string(credentialsId: options.credentialsId, variable: 'HOLDFAST_TOKEN')]) { work() }
        } else {
            work()
        }
    }
}
