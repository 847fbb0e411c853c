/** Adds up what pieces of work take, in milliseconds on the wall and of the processor. */
export class Clock {
  wall: number[] = []
  cpu = 0

  async time<Result>(work: () => Result | Promise<Result>): Promise<Result> {
    const before = process.cpuUsage()
    const start = performance.now()
    const result = await work()
    this.wall.push(performance.now() - start)
    const { user, system } = process.cpuUsage(before)
    this.cpu += (user + system) / 1_000
    return result
  }

  restart(): void {
    this.wall = []
    this.cpu = 0
  }
}
